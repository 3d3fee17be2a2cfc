//! The comment in a page that a browser or an archiver saved as one file.

use memchr::memmem;

/// The number of bytes at the beginning of a page in which the comment is sought.
const PREFIX_LEN: usize = 4096;

/// Returns the URL that a saved page was retrieved from, if a comment at its beginning states it.
///
/// # Source
/// Browsers write `<!-- saved from url=(0018)https://h.example/ -->`, with the number of characters of the URL,
/// monolith `<!-- Saved from https://h.example/ at TIME using monolith VERSION -->`, and `SingleFile` a line
/// `url: https://h.example/`. RFC 1808 section 3.3: the base URL is that used to retrieve the document, which a file no
/// longer has.
///
/// # Examples
/// ```
/// let page = b"<!DOCTYPE html>\n<!-- saved from url=(0018)https://h.example/ -->\n<a href=x>x</a>";
/// assert_eq!(absolve::saved_from(page), Some("https://h.example/"));
/// ```
#[must_use]
pub fn saved_from(page: &[u8]) -> Option<&str> {
    let prefix = &page[..page.len().min(PREFIX_LEN)];
    memmem::find_iter(prefix, b"<!--").find_map(|start| {
        let comment = &prefix[start + 4..];
        let comment = &comment[..memmem::find(comment, b"-->")?];
        let comment = std::str::from_utf8(comment).ok()?.trim_ascii();
        let url = if let Some(rest) = comment.strip_prefix("saved from url=(") {
            rest.split_once(')')?.1
        } else if let Some(rest) = comment.strip_prefix("Saved from ") {
            let (url, rest) = rest.split_once(" at ")?;
            rest.contains(" using monolith").then_some(url)?
        } else {
            let rest = comment.strip_prefix("Page saved with SingleFile")?;
            let mut lines = rest.lines();
            lines.find_map(|line| line.trim_ascii().strip_prefix("url: "))?
        };
        // Browsers also mark files as trusted: `about:internet`.
        let is_web = url.starts_with("http://") || url.starts_with("https://");
        is_web.then(|| url.trim_ascii())
    })
}

#[cfg(test)]
mod tests {
    use super::saved_from;

    #[test]
    fn saved_from_reads_the_comments_of_browsers_and_archivers() {
        for (page, expected) in [
            (
                "<!-- saved from url=(0018)https://h.example/ --><p>",
                Some("https://h.example/"),
            ),
            ("<!-- saved from url=(0014)about:internet --><p>", None),
            (
                "<!-- Saved from https://h.example/a at 2026-01-31T00:00:00Z using monolith v2.8.1 -->\n<!DOCTYPE html>",
                Some("https://h.example/a"),
            ),
            (
                "<!-- Saved from local source at 2026-01-31T00:00:00Z using monolith v2.8.1 -->",
                None,
            ),
            ("<!-- Saved from http://h.example/ at noon -->", None),
            (
                "<!DOCTYPE html> <html><!--\n Page saved with SingleFile \n url: https://h.example/?a&b \n saved date: x\n-->",
                Some("https://h.example/?a&b"),
            ),
            (
                "<!-- x --><!-- saved from url=(0018)http://h.example/ -->",
                Some("http://h.example/"),
            ),
            ("<!-- saved from url=(0018)http://h.example/", None),
            ("<p>saved from url=(0018)http://h.example/ -->", None),
        ] {
            assert_eq!(saved_from(page.as_bytes()), expected, "{page}");
        }
    }
}
