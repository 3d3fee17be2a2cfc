//! Measures the time to resolve one reference with absolve and with the `url` crate: a typical reference, one of those
//! on real pages, and one that needs every step.
//!
//! All contestants run alternately, for many rounds in one process. The report has the medians of the rounds and their
//! ratios. The real pages are those of the corpora; `ABSOLVE_CORPORA` is their folder.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;

use absolve::{Document, Profile, Resolver, Rewriter};
use url::Url;

const BASE: &str = "https://www.example.org/docs/guide/chapter-3/index.html";

/// References of the kinds that occur on pages.
const TYPICAL: [&str; 8] = [
    "images/figure-1.png",
    "../chapter-2/index.html#section-2",
    "/assets/css/site.css?v=20240101",
    "appendix.html",
    "../../index.html",
    "search?q=links&page=2",
    "#top",
    "./figures/plot.svg",
];

/// References to which the fast path of the resolver does not apply in the profile of the URL Standard.
const EVERY_STEP: [&str; 8] = [
    "http://example.com/a/b?q#f",
    "//cdn.example.net/lib/x.js",
    "HTTPS://User@Example.COM:8080/A/../B",
    "a b.html?q=\"x\"",
    "../../../../x/./y/..",
    "\u{fc}ber/stra\u{df}e.html?q=\u{fc}#\u{fc}",
    "mailto:someone@example.org",
    "https://b\u{fc}cher.example/",
];

const PROFILES: [Profile; 3] = [Profile::Rfc1808, Profile::Rfc3986, Profile::Whatwg];

const ROUNDS: usize = 31;

/// The number of references that are resolved in a round, at least.
const PER_ROUND: usize = 100_000;

/// References that resolve against one base URL.
struct Page {
    url: Url,
    resolvers: [Resolver; 3],
    references: Vec<String>,
}

impl Page {
    /// Returns the references that every contestant resolves; `None` if a contestant rejects the base URL.
    fn new<'r>(base: &str, references: impl IntoIterator<Item = &'r str>) -> Option<Self> {
        let url = Url::parse(base).ok()?;
        let resolvers = PROFILES
            .map(|profile| Resolver::new(base, profile).ok())
            .into_iter()
            .collect::<Option<Vec<_>>>()?;
        let is_resolvable = |reference: &&str| {
            let is_resolved = |resolver: &Resolver| resolver.resolve(reference).is_ok();
            url.join(reference).is_ok() && resolvers.iter().all(is_resolved)
        };
        let references = references.into_iter().filter(is_resolvable);
        Some(Self {
            references: references.map(str::to_owned).collect(),
            url: url.clone(),
            resolvers: resolvers.try_into().ok()?,
        })
    }
}

#[expect(clippy::print_stdout, reason = "a benchmark prints its results")]
fn main() {
    let example = |references| vec![Page::new(BASE, references).expect("valid base URL")];
    let sets = [
        ("typical", example(TYPICAL)),
        ("real pages, relative", real_pages(true)),
        ("real pages, all", real_pages(false)),
        ("every step", example(EVERY_STEP)),
    ];
    for (name, pages) in &sets {
        let count: usize = pages.iter().map(|page| page.references.len()).sum();
        if count == 0 {
            println!("{name}: no corpora here (ABSOLVE_CORPORA)");
            continue;
        }
        println!("{name}: {count} references");
        let mut url_times = Vec::new();
        let mut times: [Vec<f64>; 3] = [Vec::new(), Vec::new(), Vec::new()];
        for _ in 0..ROUNDS {
            url_times.push(time(pages, count, |page, reference| {
                black_box(String::from(page.url.join(reference).expect("resolvable")));
            }));
            for (index, times) in times.iter_mut().enumerate() {
                let mut target = String::new();
                times.push(time(pages, count, |page, reference| {
                    target.clear();
                    page.resolvers[index]
                        .resolve_into(reference, &mut target)
                        .expect("resolvable");
                    black_box(&target);
                }));
            }
        }
        let url_time = median(&mut url_times);
        println!("  url::Url::join and String::from: {url_time:.1} ns per reference");
        for (profile, times) in PROFILES.iter().zip(&mut times) {
            let time = median(times);
            let ratio = time / url_time;
            println!(
                "  absolve, {profile:?}: {time:.1} ns per reference, {ratio:.3} times the time of url"
            );
        }
    }
}

/// Returns the references on the pages of the corpora, by base URL; none without the corpora. If `is_relative`, those
/// with a scheme are omitted.
fn real_pages(is_relative: bool) -> Vec<Page> {
    let root = env::var_os("ABSOLVE_CORPORA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpora"),
        PathBuf::from,
    );
    let mut references: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in html_files(&root.join("pages")) {
        let bytes = fs::read(path).expect("readable");
        let document = Document::new(&bytes).retrieved_from(BASE);
        for report in Rewriter::new().links(&document).links {
            let reference = &report.link.reference;
            if let Some(base) = &report.base
                && !(is_relative && Url::parse(reference).is_ok())
            {
                let of_base = references.entry(base.url.clone()).or_default();
                of_base.push(reference.to_string());
            }
        }
    }
    let pages = references
        .iter()
        .filter_map(|(base, references)| Page::new(base, references.iter().map(String::as_str)));
    pages.collect()
}

/// Returns the files below `folder` whose names end in `.html` or `.htm`.
fn html_files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut paths: Vec<_> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .flat_map(|path| match path.extension() {
            _ if path.is_dir() => html_files(&path),
            Some(extension) if extension == "html" || extension == "htm" => vec![path],
            _ => Vec::new(),
        })
        .collect();
    paths.sort();
    paths
}

/// Returns the time per reference, in nanoseconds. There are `count` references.
fn time(pages: &[Page], count: usize, mut resolve: impl FnMut(&Page, &str)) -> f64 {
    let repetitions = PER_ROUND.div_ceil(count);
    let start = Instant::now();
    for _ in 0..repetitions {
        for page in pages {
            for reference in black_box(&page.references) {
                resolve(page, reference);
            }
        }
    }
    let resolved = u32::try_from(repetitions * count).unwrap_or(u32::MAX);
    start.elapsed().as_secs_f64() * 1e9 / f64::from(resolved)
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
