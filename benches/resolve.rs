//! Measures the time to resolve a typical reference, and one that needs every step, with absolve and with the `url` crate.
//!
//! All contestants run alternately, for many rounds in one process. The report has the medians of the rounds and their
//! ratios.

use std::hint::black_box;
use std::time::Instant;

use absolve::{Profile, Resolver};
use url::Url;

const BASE: &str = "https://www.example.org/docs/guide/chapter-3/index.html";

/// References of the kinds that occur on pages.
const REFERENCES: [&str; 8] = [
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
const OTHERS: [&str; 8] = [
    "http://example.com/a/b?q#f",
    "//cdn.example.net/lib/x.js",
    "HTTPS://User@Example.COM:8080/A/../B",
    "a b.html?q=\"x\"",
    "../../../../x/./y/..",
    "\u{fc}ber/stra\u{df}e.html?q=\u{fc}#\u{fc}",
    "mailto:someone@example.org",
    "https://b\u{fc}cher.example/",
];

const ROUNDS: usize = 31;
const REPETITIONS: usize = 20_000;

#[expect(clippy::print_stdout, reason = "a benchmark prints its results")]
fn main() {
    let base = Url::parse(BASE).expect("valid base URL");
    let resolvers = [Profile::Rfc1808, Profile::Rfc3986, Profile::Whatwg].map(|profile| {
        (
            profile,
            Resolver::new(BASE, profile).expect("valid base URL"),
        )
    });

    for (name, references) in [("typical", REFERENCES), ("every step", OTHERS)] {
        let mut url_times = Vec::new();
        let mut times: [Vec<f64>; 3] = [Vec::new(), Vec::new(), Vec::new()];
        for _ in 0..ROUNDS {
            url_times.push(time(references, |reference| {
                black_box(String::from(base.join(reference).expect("resolvable")));
            }));
            for ((_, resolver), times) in resolvers.iter().zip(&mut times) {
                let mut target = String::new();
                times.push(time(references, |reference| {
                    target.clear();
                    resolver
                        .resolve_into(reference, &mut target)
                        .expect("resolvable");
                    black_box(&target);
                }));
            }
        }
        let url_time = median(&mut url_times);
        println!("{name}, url::Url::join and String::from: {url_time:.1} ns per reference");
        for ((profile, _), times) in resolvers.iter().zip(&mut times) {
            let time = median(times);
            println!(
                "{name}, absolve, {profile:?}: {time:.1} ns per reference, {:.3} times the time of url",
                time / url_time
            );
        }
    }
}

/// Returns the time per reference, in nanoseconds.
fn time(references: [&str; 8], mut resolve: impl FnMut(&str)) -> f64 {
    let start = Instant::now();
    for _ in 0..REPETITIONS {
        for reference in black_box(references) {
            resolve(reference);
        }
    }
    let references = REPETITIONS * references.len();
    start.elapsed().as_secs_f64() * 1e9 / f64::from(u32::try_from(references).unwrap_or(u32::MAX))
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
