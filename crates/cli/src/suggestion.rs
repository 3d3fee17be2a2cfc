//! Names that are similar to a misspelled one.

/// Similarity that a suggested name must exceed; 1 for equal names.
const MIN_SIMILARITY: f64 = 0.6;

/// Returns up to three of `names` that are similar to `name`, the most similar first.
pub(crate) fn similar<'n>(name: &str, names: impl IntoIterator<Item = &'n str>) -> Vec<&'n str> {
    let name = name.to_ascii_lowercase().replace('_', "-");
    let similarity = |other: &str| {
        if name.len() > 2 && other.contains(&name) {
            1.0
        } else {
            // Counts a transposition as one error.
            strsim::normalized_damerau_levenshtein(other, &name)
        }
    };
    let names = names.into_iter().map(|other| (similarity(other), other));
    let mut near: Vec<(f64, &str)> = names
        .filter(|&(similarity, _)| similarity > MIN_SIMILARITY)
        .collect();
    near.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    near.into_iter().map(|(_, name)| name).take(3).collect()
}

/// Returns a question with the names that are similar to `name`; `None` if there are none.
pub(crate) fn did_you_mean<'n>(
    name: &str,
    names: impl IntoIterator<Item = &'n str>,
) -> Option<String> {
    let similar = similar(name, names);
    (!similar.is_empty()).then(|| format!("did you mean {}?", similar.join(" or ")))
}
