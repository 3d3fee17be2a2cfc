//! The name of the file that contains the page of a directory.

use absolve::IndexFiles;

use super::layout::Layout;
use super::path::{PATH, in_directory, push_encoded};

/// The name of the file that contains the page of a directory: that of `wget --default-page`, or `index.html`.
#[derive(Debug, Clone)]
pub(super) struct DefaultPage {
    /// The possible names, the likeliest first.
    names: Vec<String>,
    /// The names that are certain, as the last segment of a URL.
    segments: Vec<String>,
}

impl DefaultPage {
    /// Creates the names for `name`, as given to the downloader, or for `index.html`.
    pub(super) fn new(name: Option<&str>, layout: Layout) -> Self {
        name.map_or_else(|| Self::of_layout(layout), |name| Self::named(name, layout))
    }

    /// Creates the names of a folder for which no other one is known.
    fn of_layout(layout: Layout) -> Self {
        let names = match layout {
            // Downloaders write the first one only.
            Layout::Wget | Layout::HtTrack => &IndexFiles::NAMES[..1],
            Layout::HostPath | Layout::Saved | Layout::Site => &IndexFiles::NAMES,
        };
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        Self {
            segments: vec![names[0].clone()],
            names,
        }
    }

    /// Creates the names for `name`, as given to the downloader.
    fn named(name: &str, layout: Layout) -> Self {
        let mut names = vec![name.to_owned()];
        // wget --adjust-extension appends the extension to any other name.
        let is_html = |extension: &str| matches!(extension, ".html" | ".htm");
        let extension = name.rfind('.').map(|dot| name[dot..].to_ascii_lowercase());
        if layout == Layout::Wget && !extension.is_some_and(|extension| is_html(&extension)) {
            names.push(format!("{name}.html"));
        }
        let segment = |name: &String| {
            let mut segment = String::new();
            push_encoded(&mut segment, name.as_bytes(), PATH);
            segment
        };
        Self {
            segments: names.iter().map(segment).collect(),
            names,
        }
    }

    /// Returns the possible files of the page of `directory`, the likeliest first.
    pub(super) fn files(&self, directory: &[u8]) -> Vec<Vec<u8>> {
        let names = self.names.iter();
        names.map(|name| in_directory(directory, name)).collect()
    }

    /// Returns the URL of the directory, with its slash, if `url` is that of the file of its page. `url` has no query.
    pub(super) fn directory_of<'u>(&self, url: &'u str) -> Option<&'u str> {
        let segments = self.segments.iter();
        let mut directories = segments.filter_map(|segment| url.strip_suffix(&**segment));
        directories.find(|url| url.ends_with('/'))
    }
}
