//! Streams of real pages have the output of the documents in memory.

use std::fs;

use support::agreement::{SETTINGS, streams_in_windows};

const HEAD: &str = "<!DOCTYPE html><meta charset=utf-8><title>t</title><p>";

#[test]
fn stream_of_real_pages_agrees() {
    let Some(directory) = support::corpora("pages") else {
        return;
    };
    let files = support::files(&directory, &["html", "htm", "xhtml"]);
    let (mut all, mut pages) = (HEAD.as_bytes().to_vec(), 0);
    for file in files {
        let page = fs::read(&file).expect("a readable page");
        // Pages are concatenated below, each in the BODY of the one before it, so pages that cannot be streamed there
        // are left out. Not all pages are in UTF-8.
        let page = String::from_utf8_lossy(&page);
        let document = [HEAD, &"<a href=g>some text</a>\n".repeat(84), &page].concat();
        let buffered = streams_in_windows(document.as_bytes(), None, &SETTINGS[0], 1_000);
        let words = page.to_ascii_lowercase();
        let is_over = !["<plaintext", "<template", "<frameset"]
            .iter()
            .any(|word| words.contains(word));
        if buffered.is_none() && is_over && page.ends_with("</html>\n") {
            all.extend_from_slice(page.as_bytes());
            pages += 1;
        }
    }
    assert!(pages > 20, "{pages} pages");
    for window in [3_000, 100_000] {
        let buffered = streams_in_windows(&all, None, &SETTINGS[0], window);
        support::print_line(&format!(
            "{pages} pages, {} bytes, in windows of {window}: {buffered:?}",
            all.len()
        ));
        assert_eq!(buffered, None);
    }
}
