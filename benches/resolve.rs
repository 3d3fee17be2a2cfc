//! What resolving one typical reference costs, beside the `url` crate: `cargo bench --bench resolve`.
//!
//! All contestants run in turn, many rounds, in one process; the medians of the rounds are printed, and their ratios.

use std::hint::black_box;
use std::time::Instant;

use absolve::{Profile, Resolver};
use url::Url;

const BASE: &str = "https://www.example.org/docs/guide/chapter-3/index.html";

/// References as pages have them.
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

const ROUNDS: usize = 31;
const REPETITIONS: usize = 20_000;

#[expect(clippy::print_stdout, reason = "a benchmark shows its figures")]
fn main() {
    let base = Url::parse(BASE).expect("a base URL");
    let resolvers = [Profile::Rfc1808, Profile::Rfc3986, Profile::Whatwg]
        .map(|profile| (profile, Resolver::new(BASE, profile).expect("a base URL")));

    let mut join_times = Vec::new();
    let mut times: [Vec<f64>; 3] = [Vec::new(), Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        join_times.push(time(|reference| {
            black_box(String::from(base.join(reference).expect("a target")));
        }));
        for ((_, resolver), times) in resolvers.iter().zip(&mut times) {
            let mut target = String::new();
            times.push(time(|reference| {
                target.clear();
                resolver
                    .resolve_into(reference, &mut target)
                    .expect("a target");
                black_box(&target);
            }));
        }
    }
    let join = median(&mut join_times);
    println!("url::Url::join and its string: {join:.1} ns a reference");
    for ((profile, _), times) in resolvers.iter().zip(&mut times) {
        let time = median(times);
        println!(
            "absolve, {profile:?}: {time:.1} ns a reference, {:.3} of url's",
            time / join
        );
    }
}

/// Nanoseconds for each reference.
fn time(mut resolve: impl FnMut(&str)) -> f64 {
    let start = Instant::now();
    for _ in 0..REPETITIONS {
        for reference in black_box(REFERENCES) {
            resolve(reference);
        }
    }
    let references = REPETITIONS * REFERENCES.len();
    start.elapsed().as_secs_f64() * 1e9 / f64::from(u32::try_from(references).unwrap_or(u32::MAX))
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
