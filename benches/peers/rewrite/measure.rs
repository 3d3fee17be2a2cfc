//! Measures every contestant over every corpus in every round. The order of the contestants rotates.

use std::time::Duration;

use super::clock::Clock;
use super::contestant::{Contestant, Work};
use super::corpus::Corpus;

/// The results of one contestant.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    /// Crate that determines the version.
    pub(crate) package: &'static str,
    /// One result per corpus.
    pub(crate) results: Vec<CorpusResult>,
}

/// The result of one contestant over one corpus.
pub(crate) struct CorpusResult {
    /// 10^6 bytes of input per second: the median of the rounds.
    pub(crate) speed: f64,
    /// Speeds of the slowest and the fastest round.
    pub(crate) slowest: f64,
    pub(crate) fastest: f64,
    pub(crate) work: Work,
}

/// Measures all contestants over all corpora.
pub(crate) fn measure(
    contestants: &mut [Contestant],
    corpora: &[Corpus],
    rounds: usize,
    clock: Clock,
    mut progress: impl FnMut(&str),
) -> Vec<Row> {
    // The first round warms up caches and is not counted. It records the amount of work, which every round repeats.
    let mut rows: Vec<Row> = contestants
        .iter_mut()
        .map(|one| Row {
            name: one.name,
            package: one.package,
            results: corpora.iter().map(|corpus| warm_up(one, corpus)).collect(),
        })
        .collect();
    let mut times = vec![vec![Vec::with_capacity(rounds); corpora.len()]; contestants.len()];
    for round in 0..rounds {
        progress(&format!("round {} of {rounds}", round + 1));
        for (corpus_number, corpus) in corpora.iter().enumerate() {
            for step in 0..contestants.len() {
                let number = (step + round) % contestants.len();
                let (time, _) = clock.time(|| pass(&mut contestants[number], corpus));
                times[number][corpus_number].push(time);
            }
        }
    }
    for (row, times) in rows.iter_mut().zip(&mut times) {
        for ((result, times), corpus) in row.results.iter_mut().zip(times).zip(corpora) {
            times.sort();
            let speed = |time: Duration| megabytes(corpus.bytes()) / time.as_secs_f64();
            result.speed = speed(times[times.len() / 2]);
            result.fastest = speed(times[0]);
            result.slowest = speed(times[times.len() - 1]);
        }
    }
    rows
}

fn warm_up(contestant: &mut Contestant, corpus: &Corpus) -> CorpusResult {
    CorpusResult {
        speed: 0.0,
        slowest: 0.0,
        fastest: 0.0,
        work: pass(contestant, corpus),
    }
}

/// Runs the contestant on every document of the corpus.
fn pass(contestant: &mut Contestant, corpus: &Corpus) -> Work {
    let mut work = Work::default();
    for document in &corpus.documents {
        work += (contestant.run)(document);
    }
    work
}

/// Converts bytes to megabytes of 10^6 bytes.
pub(crate) fn megabytes(bytes: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "exact for sizes below 2^53")]
    let bytes = bytes as f64;
    bytes / 1e6
}
