//! Paths of files as bytes, and as references.

/// Percent-decoded once; `%2F` becomes a slash like any other.
pub(super) fn decoded(text: &[u8]) -> Vec<u8> {
    unescaped(text, |_| true)
}

/// Percent-decoded once where `is_meant` says so of the byte.
pub(super) fn unescaped(text: &[u8], is_meant: impl Fn(u8) -> bool) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&first, behind)) = rest.split_first() {
        let escaped = match (first, behind) {
            (b'%', &[high, low, ..]) => byte(high, low).filter(|&byte| is_meant(byte)),
            _ => None,
        };
        decoded.push(escaped.unwrap_or(first));
        rest = &behind[if escaped.is_some() { 2 } else { 0 }..];
    }
    decoded
}

fn byte(high: u8, low: u8) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    u8::try_from(digit(high)? * 16 + digit(low)?).ok()
}

/// Appends a segment of a path to a URL: what cannot stand in a segment, or is a delimiter behind one, is
/// percent-encoded.
///
/// # Source
/// RFC 3986 section 3.3: `pchar`.
pub(super) fn push_segment(url: &mut String, segment: &[u8]) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    for &byte in segment {
        if byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@".contains(&byte) {
            url.push(char::from(byte));
        } else {
            url.push('%');
            url.push(char::from(DIGITS[usize::from(byte >> 4)]));
            url.push(char::from(DIGITS[usize::from(byte & 15)]));
        }
    }
}

/// The reference that leads from the file `from` to the file `to` when both are read from a disk. It is never empty.
pub(super) fn reference(from: &[u8], to: &[u8]) -> String {
    let directory = directory(from);
    let same = directory.iter().zip(to);
    let same = same.take_while(|(one, other)| one == other).count();
    let shared = directory[..same]
        .iter()
        .rposition(|&byte| byte == b'/')
        .map_or(0, |slash| slash + 1);
    let ups = directory[shared..].iter().filter(|&&byte| byte == b'/');
    let mut reference = "../".repeat(ups.count());
    let rest = &to[shared..];
    let first = rest.split(|&byte| byte == b'/').next().unwrap_or_default();
    // What stands before a colon is a scheme, and RFC 1808 has a reference of params alone.
    if reference.is_empty() && (first.contains(&b':') || first.starts_with(b";")) {
        reference.push_str("./");
    }
    for (index, segment) in rest.split(|&byte| byte == b'/').enumerate() {
        if index > 0 {
            reference.push('/');
        }
        push_segment(&mut reference, segment);
    }
    reference
}

/// The directory of a file, with its last slash; empty for a file that is in none.
pub(super) fn directory(path: &[u8]) -> &[u8] {
    let end = path.iter().rposition(|&byte| byte == b'/');
    &path[..end.map_or(0, |slash| slash + 1)]
}

/// The name of a file without its directory.
pub(super) fn name(path: &[u8]) -> &[u8] {
    &path[directory(path).len()..]
}

/// Where in the folder a reference leads that stands in the file `from`: its path, percent-decoded; `None` if it leads
/// out of the folder. A reference without a path leads to the file itself.
pub(super) fn joined(from: &[u8], reference_path: &str) -> Option<Vec<u8>> {
    if reference_path.is_empty() {
        return Some(from.to_owned());
    }
    let mut segments: Vec<Vec<u8>> = directory(from)
        .split(|&byte| byte == b'/')
        .filter(|segment| !segment.is_empty())
        .map(<[u8]>::to_owned)
        .collect();
    let mut ends_in_directory = false;
    for segment in reference_path.split('/') {
        let segment = decoded(segment.as_bytes());
        ends_in_directory = matches!(&*segment, b"" | b"." | b"..");
        match &*segment {
            b"" | b"." => {}
            b".." => {
                segments.pop()?;
            }
            _ => segments.push(segment),
        }
    }
    let mut path = segments.join(&b'/');
    if ends_in_directory {
        path.push(b'/');
    }
    Some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_leads_from_file_to_file() {
        for (from, to, expected) in [
            ("a", "b", "b"),
            ("a", "a", "a"),
            ("h/a", "h/b", "b"),
            ("h/a/b", "h/c", "../c"),
            ("h/ab/c", "h/a/c", "../a/c"),
            ("h/c", "h/a/b", "a/b"),
            ("h1/a/b", "h2/c", "../../h2/c"),
            ("h/a", "h/c:d", "./c:d"),
            ("h/a", "h/d/c:d", "d/c:d"),
            ("h/x/a", "h/c:d", "../c:d"),
            ("h/a", "h/;x", "./;x"),
            ("h/a", "h/b?c#d%e f", "b%3Fc%23d%25e%20f"),
            (
                "h/a",
                "h/\u{e9}\"<>\\^`{|}[]\u{7f}",
                "%C3%A9%22%3C%3E%5C%5E%60%7B%7C%7D%5B%5D%7F",
            ),
            ("h/a", "h/-._~!$&'()*+,;=@", "-._~!$&'()*+,;=@"),
            ("h:80/a/b", "h:80/c", "../c"),
            ("h:80/a/b", "g:80/c", "../../g:80/c"),
        ] {
            let reference = reference(from.as_bytes(), to.as_bytes());
            assert_eq!(reference, expected, "{from} to {to}");
            assert_eq!(
                joined(from.as_bytes(), &reference).as_deref(),
                Some(to.as_bytes())
            );
        }
    }

    #[test]
    fn a_reference_is_joined_as_a_browser_does() {
        for (from, reference, expected) in [
            ("h/a", "", Some("h/a")),
            ("h/a", ".", Some("h/")),
            ("h/a", "./", Some("h/")),
            ("h/a/b", "..", Some("h/")),
            ("h/a", "b//c", Some("h/b/c")),
            ("h/a", "%2e%2E/b", Some("b")),
            ("h/a", "../../b", None),
            ("h/a", "%zz%4", Some("h/%zz%4")),
            ("h/a", "b%2Fc", Some("h/b/c")),
        ] {
            let joined = joined(from.as_bytes(), reference);
            assert_eq!(
                joined.as_deref(),
                expected.map(str::as_bytes),
                "{from} {reference}"
            );
        }
    }
}
