//! The captures of an archive as a mirror: one file for each URL, whose name fits every file system.
//!
//! [`CaptureIndex`] keeps the newest capture of each URL. Two URLs that differ by their scheme only are one, as
//! everywhere in a [`Mirror`].
//!
//! # Names
//!
//! The name of a file is that of `wget --adjust-extension --restrict-file-names=windows`: the directory of the host,
//! the decoded path, and the query after `@`; characters that some system reserves are percent-encoded. If it is longer
//! than systems allow, reserved by one, or equal to another name in all but letter case, the file is in the directory
//! of the host, and its name contains a digest of the URL. The first URL of the archives gets the name, so names remain
//! when archives are added at the end.

use std::collections::{HashMap, HashSet};

use absolve::DocumentKind;
use absolve_archive::container::warc::{Capture, RecordKind};
use data_encoding::HEXLOWER;
use md5::{Digest, Md5};

use super::address::Address;
use super::files::is_temp_file;
use super::layout::{Layout, PathSegments, Root, decode_keeping_slashes};
use super::mirror::{Mirror, url_key};
use super::record::KnownUrl;

/// The maximum length of the name of a file or directory in bytes, with which a temporary name fits as well.
const MAX_SEGMENT: usize = 180;

/// The maximum length of a path in bytes, with which a directory of some length fits on Windows.
const MAX_PATH: usize = 220;

/// The maximum number of redirects that are followed.
const MAX_REDIRECTS: usize = 20;

/// The place of a capture: the index of its archive, and its offset.
pub(crate) type CapturePlace = (usize, u64);

/// The captures of archives: the newest of each URL.
#[derive(Debug, Default)]
pub(crate) struct CaptureIndex {
    /// In the order in which the URLs were found.
    captures: Vec<IndexedCapture>,
    /// The indexes of captures by `url_key`.
    by_key: HashMap<String, usize>,
    /// The place of the content with a digest, and its extension.
    by_digest: HashMap<String, (CapturePlace, &'static str)>,
}

#[derive(Debug)]
struct IndexedCapture {
    address: Address,
    timestamp: String,
    content: IndexedContent,
}

#[derive(Debug)]
enum IndexedContent {
    /// The place, and the extension that a file of the media type has.
    Stored(CapturePlace, &'static str),
    Revisit(String),
    Redirect(Address),
}

impl CaptureIndex {
    /// Adds a capture of `url`, which replaces one of the same URL that is not newer. It is ignored if the URL is no
    /// HTTP URL, and if it is an error of the server, no content of a URL, or not complete.
    ///
    /// Timestamps are compared as text.
    pub(crate) fn add(&mut self, url: &str, capture: &Capture, place: CapturePlace) {
        let Some(mut address) = Address::parse(url) else {
            return;
        };
        address.fragment = None;
        let key = url_key(&address);
        let lower_case =
            |text: &Option<String>| text.as_ref().map(|text| text.to_ascii_lowercase());
        let digest = lower_case(&capture.digest);
        let content = match (&capture.location, capture.kind, capture.status) {
            (Some(location), ..) => {
                let from = format!("{}://{}", address.scheme.name(), key);
                let to = absolve::resolve(&from, location, absolve::Profile::Whatwg).ok();
                match to.and_then(|to| Address::parse(&to)) {
                    // A redirect to the other scheme is none here.
                    Some(to) if url_key(&to) != key => IndexedContent::Redirect(to),
                    _ => return,
                }
            }
            _ if !capture.is_complete => return,
            (_, RecordKind::Revisit, None | Some(200 | 304)) => match digest {
                Some(digest) => IndexedContent::Revisit(digest),
                None => return,
            },
            (_, RecordKind::Response, Some(200)) | (_, RecordKind::Resource, _) => {
                let media_type = lower_case(&capture.media_type);
                let extension = extension_of(media_type.as_deref().unwrap_or_default());
                if let Some(digest) = digest {
                    self.by_digest.insert(digest, (place, extension));
                }
                IndexedContent::Stored(place, extension)
            }
            _ => return,
        };
        let timestamp = &*capture.timestamp;
        let capture = IndexedCapture {
            address,
            timestamp: timestamp.to_owned(),
            content,
        };
        match self.by_key.get(&key) {
            Some(&index) if self.captures[index].timestamp.as_str() > timestamp => {}
            Some(&index) => self.captures[index] = capture,
            None => {
                self.by_key.insert(key, self.captures.len());
                self.captures.push(capture);
            }
        }
    }

    /// Returns the mirror of the captures, and the path and place of each file. Captures whose content is in no archive
    /// have none, and the path is `None` if no directory can have the name of the host.
    ///
    /// # Complexity
    /// Linear in the number of captures, and in the length of their URLs.
    pub(crate) fn into_mirror(self) -> (Mirror, Vec<(Option<String>, CapturePlace)>) {
        let Self {
            captures,
            by_key,
            by_digest,
        } = self;
        let mut names = CaptureNames::default();
        let (mut files, mut left_out) = (Vec::new(), Vec::new());
        let mut redirects = Vec::new();
        for IndexedCapture {
            address, content, ..
        } in captures
        {
            let stored = match content {
                IndexedContent::Stored(place, extension) => Some((place, extension)),
                IndexedContent::Revisit(digest) => by_digest.get(&digest).copied(),
                IndexedContent::Redirect(to) => {
                    redirects.push((url_key(&address), url_key(&to)));
                    None
                }
            };
            if let Some((place, extension)) = stored {
                match names.name(&address, extension) {
                    Some(name) => files.push((name, address, place)),
                    None => left_out.push((None, place)),
                }
            }
        }
        drop((by_key, by_digest, names));
        let mut mirror = mirror_of(&files);
        let redirects: HashMap<String, String> = redirects.into_iter().collect();
        for (from, mut to) in &redirects {
            for _ in 0..MAX_REDIRECTS {
                to = redirects.get(to).unwrap_or(to);
            }
            if let Some(Some(file)) = mirror.files_by_url.get(to) {
                let file = file.clone();
                mirror.files_by_url.insert(from.clone(), Some(file));
            }
        }
        let files = files.into_iter();
        let files = files.map(|(name, _, place)| (Some(name), place));
        (mirror, files.chain(left_out).collect())
    }
}

/// Returns the mirror of files whose URLs are known.
fn mirror_of(files: &[(String, Address, CapturePlace)]) -> Mirror {
    let mut roots: HashMap<&str, Root> = HashMap::new();
    for (name, address, _) in files {
        let host = name.find('/').map_or("", |slash| &name[..=slash]);
        roots.entry(host).or_insert_with(|| Root {
            prefix: host.into(),
            authority: address.authority.clone(),
            path: "/".to_owned(),
            scheme: None,
        });
    }
    let roots = roots.into_values().collect();
    let names = files.iter().map(|(name, ..)| name.as_bytes().to_owned());
    let mut mirror = Mirror::with_roots(names.clone().collect(), Layout::HostPath, roots, None);
    // None is an original that wget kept.
    mirror.files.extend(names);
    for (name, address, _) in files {
        let file = name.as_bytes().to_owned();
        let known = KnownUrl {
            address: address.clone(),
            scheme: Some(address.scheme),
            is_exclusive: true,
        };
        mirror
            .files_by_url
            .insert(url_key(address), Some(file.clone()));
        mirror.urls_by_file.insert(file, known);
    }
    mirror
}

/// Returns the extension that a file of a media type needs on a disk; empty if any will do.
fn extension_of(media_type: &str) -> &'static str {
    let kind = DocumentKind::of(media_type);
    match (kind, media_type) {
        (_, "application/xhtml+xml") => "xhtml",
        (_, "image/svg+xml") => "svg",
        (Some(DocumentKind::Xml), _) | (_, "text/xml" | "application/xml") => "xml",
        (None, other) if other.ends_with("javascript") => "js",
        (None, _) => "",
        (Some(kind), _) => kind.extensions().first().copied().unwrap_or_default(),
    }
}

/// Names that are in use.
#[derive(Debug, Default)]
struct CaptureNames {
    /// The paths of files in lower case.
    files: HashSet<String>,
    /// Those of directories, without their last slash.
    directories: HashSet<String>,
}

impl CaptureNames {
    /// Returns a path that is not in use for the file of a URL; `None` if its host can be no directory.
    fn name(&mut self, address: &Address, extension: &str) -> Option<String> {
        let host = portable_name(address.authority.replace(':', "+").as_bytes());
        let host = host.trim_end_matches('.');
        // The names of our own files begin with a dot, and those of hosts never do.
        if host.is_empty() || host.starts_with('.') || host.len() > MAX_SEGMENT {
            return None;
        }
        let path = PathSegments::of(&address.path);
        let mut segments = path.segments;
        if path.is_directory {
            segments.push(b"index".to_vec());
        }
        let mut last = segments.pop().unwrap_or_default();
        if let Some(query) = &address.query {
            last.push(b'@');
            last.extend_from_slice(&decode_keeping_slashes(query));
        }
        let (mut last, extension) = (
            portable_name(&last),
            match extension {
                "" if path.is_directory => "html",
                other => other,
            },
        );
        let written = last.rsplit_once('.').map_or("", |(_, written)| written);
        let kind = match extension {
            "xml" => Some(DocumentKind::Xml),
            other => DocumentKind::of_extension(other),
        };
        let general = kind.and_then(DocumentKind::general_extension);
        let has_extension = extension.is_empty()
            || written.eq_ignore_ascii_case(extension)
            || general.is_some_and(|general| written.eq_ignore_ascii_case(general))
            || (kind.is_some() && kind == DocumentKind::of_extension(written));
        if !has_extension {
            last = [&*last, ".", extension].concat();
        }
        let directories = segments.iter().map(|segment| portable_name(segment));
        let mut names: Vec<String> = [host.to_owned()].into_iter().chain(directories).collect();
        names.push(last);
        let mut name = names.join("/");
        let is_usable = name.len() <= MAX_PATH && names[1..].iter().all(|name| is_usable(name));
        let mut attempt = 0;
        while (attempt == 0 && !is_usable) || !self.is_free(&name) {
            attempt += 1;
            let last = names.last().map_or("", |last| last);
            let (stem, extension) = last.rsplit_once('.').unwrap_or((last, ""));
            let is_short = |&(pos, _): &(usize, char)| pos < MAX_SEGMENT / 3;
            let stem: String = stem
                .char_indices()
                .take_while(is_short)
                .map(|(_, letter)| letter)
                .collect();
            let is_extension =
                extension.len() <= 8 && !extension.is_empty() && is_usable_end(extension);
            let dot = if is_extension { "." } else { "" };
            let digest = Md5::digest(format!("{attempt} {}", url_key(address)));
            let digest = HEXLOWER.encode(&digest[..8]);
            let extension = if is_extension { extension } else { "" };
            name = format!("{host}/{stem}~{digest}{dot}{extension}");
        }
        let folded = name.to_lowercase();
        for (slash, _) in folded.match_indices('/') {
            self.directories.insert(folded[..slash].to_owned());
        }
        self.files.insert(folded);
        Some(name)
    }

    /// Returns whether there can be a file of this name beside those that are in use.
    fn is_free(&self, name: &str) -> bool {
        let folded = name.to_lowercase();
        let mut parents = folded.match_indices('/').map(|(slash, _)| &folded[..slash]);
        !self.files.contains(&folded)
            && !self.directories.contains(&folded)
            && !parents.any(|parent| self.files.contains(parent))
    }
}

/// Returns a segment of a path with the bytes percent-encoded that some file system reserves.
#[must_use]
pub fn portable_name(segment: &[u8]) -> String {
    let mut name = String::new();
    for chunk in segment.utf8_chunks() {
        for letter in chunk.valid().chars() {
            if letter.is_control() || "\\/|:?\"*<>".contains(letter) {
                let mut bytes = [0; 4];
                for &byte in letter.encode_utf8(&mut bytes).as_bytes() {
                    name.push_str(percent_encoding::percent_encode_byte(byte));
                }
            } else {
                name.push(letter);
            }
        }
        for &byte in chunk.invalid() {
            name.push_str(percent_encoding::percent_encode_byte(byte));
        }
    }
    name
}

/// Returns whether every file system can have a file of this name, and no run takes it for a temporary one.
fn is_usable(name: &str) -> bool {
    let stem = name
        .split('.')
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase();
    let is_numbered = |device: &str| {
        let number = stem.strip_prefix(device);
        number.is_some_and(|number| {
            number.len() == 1 && number.bytes().all(|byte| byte.is_ascii_digit())
        })
    };
    let is_device =
        matches!(&*stem, "con" | "prn" | "aux" | "nul") || is_numbered("com") || is_numbered("lpt");
    let is_reserved = is_device || is_temp_file(name.as_ref());
    !name.is_empty() && name.len() <= MAX_SEGMENT && !is_reserved && is_usable_end(name)
}

/// Returns whether a name may end like this: Windows removes dots and spaces.
fn is_usable_end(name: &str) -> bool {
    !name.ends_with(['.', ' '])
}

#[cfg(test)]
mod tests {
    use absolve_archive::container::warc::{WarcIndex, WarcReader};

    use super::*;

    #[test]
    fn names_fit_every_file_system_and_differ() {
        let mut names = CaptureNames::default();
        let long = format!("https://h.example/{}", "x".repeat(300));
        for (url, extension, expected) in [
            ("https://h.example/", "html", "h.example/index.html"),
            (
                "https://h.example:8080/a/",
                "",
                "h.example+8080/a/index.html",
            ),
            (
                "https://h.example/p.php?id=1/2",
                "html",
                "h.example/p.php@id=1%2F2.html",
            ),
            (
                "https://h.example/P.PHP?id=1/2",
                "html",
                "h.example/P.PHP@id=1%2F2~*.html",
            ),
            (
                "https://h.example/s.css?v=2",
                "css",
                "h.example/s.css@v=2.css",
            ),
            ("https://h.example/a.htm", "html", "h.example/a.htm"),
            ("https://h.example/feed/", "xml", "h.example/feed/index.xml"),
            ("https://h.example/b%3Ac%00", "", "h.example/b%3Ac%00"),
            ("https://h.example/b%3Ac%00/d", "", "h.example/d~*"),
            ("https://h.example/con.png", "", "h.example/con~*.png"),
            ("https://h.example/dot./x", "", "h.example/x~*"),
            (
                "https://h.example/..%2F..%2Fetc",
                "",
                "h.example/..%2F..%2Fetc",
            ),
            (
                "https://h.example/..%5C..%5Cetc",
                "",
                "h.example/..%5C..%5Cetc",
            ),
            ("https://h.example/%ff%C3%A9", "", "h.example/%FF\u{e9}"),
            (&long, "html", "h.example/xxx*.html"),
        ] {
            let address = Address::parse(url).expect("a URL");
            let name = names.name(&address, extension).expect("a name");
            let (start, end) = expected.split_once('*').unwrap_or((expected, ""));
            let is_expected = if expected.contains('*') {
                name.starts_with(start) && name.ends_with(end)
            } else {
                name == expected
            };
            assert!(is_expected, "{url}: {name}");
            assert!(name.len() <= MAX_PATH, "{name}");
        }
    }

    #[test]
    fn portable_name_has_no_separator_and_no_stream() {
        for (name, expected) in [
            ("p.php?id=1", "p.php%3Fid=1"),
            (r"..\..\etc", "..%5C..%5Cetc"),
            ("C:a.html:stream", "C%3Aa.html%3Astream"),
            ("a<b>|\"*\u{7}", "a%3Cb%3E%7C%22%2A%07"),
            ("caf\u{e9} 100%", "caf\u{e9} 100%"),
        ] {
            assert_eq!(portable_name(name.as_bytes()), expected, "{name}");
        }
    }

    /// Returns a capture of `url` with these words: date, type, status and a header field.
    fn capture(url: &str, captured: &str) -> Capture {
        let words: Vec<&str> = captured.splitn(4, ' ').collect();
        let [date, kind, status, field] = words[..] else {
            panic!("{captured}");
        };
        let block = format!("HTTP/1.1 {status} x\r\nContent-Type: text/html\r\n{field}\r\n\r\n");
        let digest = field.strip_prefix("Digest: ").unwrap_or_default();
        let record = format!(
            "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Date: {date}\r\nWARC-Payload-Digest: {digest}\r\nContent-Type: application/http\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
            block.len()
        );
        let reader = WarcReader::new(record.as_bytes());
        let mut places = WarcIndex::describing(reader, Capture::of);
        let place = places.next().expect("a record").expect("no damage");
        place.description.expect("a capture")
    }

    #[test]
    fn the_newest_capture_counts_and_redirects_lead_to_files() {
        let mut index = CaptureIndex::default();
        for (url, captured) in [
            (
                "http://h.example/",
                "2026 response 301 Location: https://h.example/",
            ),
            ("https://h.example/", "2024 response 200 Digest: a"),
            ("https://h.example/", "2023 response 200 Digest: b"),
            ("https://h.example/b", "2025 revisit 200 Digest: b"),
            ("https://h.example/gone", "2025 revisit 200 Digest: z"),
            ("https://h.example/c", "2025 response 302 Location: d?"),
            ("https://h.example/d?", "2025 response 302 Location: /b#x"),
            (
                "https://h.example/loop",
                "2025 response 302 Location: loop2",
            ),
            (
                "https://h.example/loop2",
                "2025 response 302 Location: loop",
            ),
            ("https://h.example/error", "2025 response 404 Digest: e"),
            // No directory can have the name of this host.
            ("http://../", "2025 response 200 Digest: c"),
        ] {
            let capture = capture(url, captured);
            // The digests tell which captures have the places that are expected.
            let digest = capture.digest.as_deref().unwrap_or_default();
            index.add(url, &capture, (0, digest.bytes().map(u64::from).sum()));
        }
        let (mirror, files) = index.into_mirror();
        let expected = [
            (Some("h.example/index.html"), b'a'),
            (Some("h.example/b.html"), b'b'),
            (None, b'c'),
        ];
        assert_eq!(
            files,
            expected.map(|(name, place)| (name.map(str::to_owned), (0, place.into())))
        );
        let find = |url: &str| mirror.find(url).map(String::from_utf8_lossy);
        assert_eq!(
            find("http://h.example/").as_deref(),
            Some("h.example/index.html")
        );
        for url in [
            "https://h.example/b#y",
            "https://h.example/c",
            "http://h.example/d?",
        ] {
            assert_eq!(find(url).as_deref(), Some("h.example/b.html"), "{url}");
        }
        assert_eq!(find("https://h.example/loop"), None);
        assert_eq!(find("https://h.example/gone"), None);
        assert_eq!(
            mirror.url_of(b"h.example/b.html").as_deref(),
            Some("https://h.example/b")
        );
    }
}
