//! Paths of files as bytes, and the references between them.

use percent_encoding::{percent_decode, percent_decode_str, percent_encode_byte};

/// Percent-decodes those escapes in `text` whose byte satisfies `is_decoded`.
pub(super) fn percent_decode_if(text: &[u8], is_decoded: impl Fn(u8) -> bool) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&first, tail)) = rest.split_first() {
        let has_digits = |digits: &[u8]| digits.iter().all(u8::is_ascii_hexdigit);
        let is_escape = first == b'%' && tail.get(..2).is_some_and(has_digits);
        let escaped = percent_decode(rest).next();
        let escaped = escaped.filter(|&byte| is_escape && is_decoded(byte));
        decoded.push(escaped.unwrap_or(first));
        rest = &tail[if escaped.is_some() { 2 } else { 0 }..];
    }
    decoded
}

/// The bytes that are literal in a path, apart from ASCII letters and digits.
///
/// # Source
/// RFC 3986 section 3.3: `pchar`, and the slash between segments.
pub(super) const PATH: &[u8] = b"-._~!$&'()*+,;=:@/";

/// The bytes that are literal in a query, apart from ASCII letters and digits. The slash would be valid, too, but file
/// names contain none.
///
/// # Source
/// RFC 3986 section 3.4.
pub(super) const QUERY: &[u8] = b"-._~!$&'()*+,;=:@?";

/// Appends `bytes` to a URL, percent-encoding all but ASCII letters, digits and the bytes in `literal`.
pub(super) fn push_encoded(url: &mut String, bytes: &[u8], literal: &[u8]) {
    for &byte in bytes {
        if byte.is_ascii_alphanumeric() || literal.contains(&byte) {
            url.push(char::from(byte));
        } else {
            url.push_str(percent_encode_byte(byte));
        }
    }
}

/// Returns the reference that leads from the file `from` to the file `to` when both are read from a disk. It is never
/// empty.
pub(super) fn relative_reference(from: &[u8], to: &[u8]) -> String {
    let directory = directory(from);
    // Only whole segments count: the common prefix ends after its last slash.
    let shared_bytes = directory.iter().zip(to);
    let shared_bytes = shared_bytes.take_while(|(a, b)| a == b).count();
    let shared = directory[..shared_bytes]
        .iter()
        .rposition(|&byte| byte == b'/')
        .map_or(0, |slash| slash + 1);
    let ups = directory[shared..].iter().filter(|&&byte| byte == b'/');
    let mut reference = "../".repeat(ups.count());
    let rest = &to[shared..];
    let first = rest.split(|&byte| byte == b'/').next().unwrap_or_default();
    // Text before a colon would be read as a scheme, and RFC 1808 has references that consist of params only.
    if reference.is_empty() && (first.contains(&b':') || first.starts_with(b";")) {
        reference.push_str("./");
    }
    push_encoded(&mut reference, rest, PATH);
    reference
}

/// Returns the directory of a file with its last slash; empty if it is in none.
pub(super) fn directory(path: &[u8]) -> &[u8] {
    let end = path.iter().rposition(|&byte| byte == b'/');
    &path[..end.map_or(0, |slash| slash + 1)]
}

/// Returns the name of a file without its directory.
pub(super) fn file_name(path: &[u8]) -> &[u8] {
    &path[directory(path).len()..]
}

/// Returns the path to which the path of a reference in the file `from` leads, percent-decoded; `None` if it leads
/// out of the folder. An empty reference leads to the file itself. The path of a directory ends in a slash.
pub(super) fn join(from: &[u8], reference_path: &str) -> Option<Vec<u8>> {
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
        // `%2F` becomes a slash like any other.
        let segment: Vec<u8> = percent_decode_str(segment).collect();
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

/// Returns the path of the file `name` in `directory`.
pub(super) fn in_directory(directory: &[u8], name: impl AsRef<[u8]>) -> Vec<u8> {
    let name = name.as_ref();
    if directory.is_empty() {
        name.to_owned()
    } else {
        [directory, b"/", name].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_reference_and_join_are_inverse() {
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
            let reference = relative_reference(from.as_bytes(), to.as_bytes());
            assert_eq!(reference, expected, "{from} to {to}");
            assert_eq!(
                join(from.as_bytes(), &reference).as_deref(),
                Some(to.as_bytes())
            );
        }
    }

    #[test]
    fn join_resolves_like_a_browser() {
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
            let joined = join(from.as_bytes(), reference);
            assert_eq!(
                joined.as_deref(),
                expected.map(str::as_bytes),
                "{from} {reference}"
            );
        }
    }
}
