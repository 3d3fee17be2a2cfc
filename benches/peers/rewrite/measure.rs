//! Measuring: every contestant over every corpus in every round, in an order that turns.

use std::time::Duration;

use super::clock::Clock;
use super::contestant::{Contestant, Kind, Work};
use super::corpus::Corpus;

/// What one contestant reached.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    /// One for each corpus.
    pub(crate) figures: Vec<Figure>,
}

/// What one contestant reached over one corpus.
pub(crate) struct Figure {
    /// 10^6 bytes of input in a second: the median of the rounds.
    pub(crate) speed: f64,
    /// The slowest round and the quickest.
    pub(crate) slowest: f64,
    pub(crate) quickest: f64,
    pub(crate) work: Work,
}

/// Measures all contestants over all corpora.
pub(crate) fn measure(
    contestants: &mut [Contestant],
    corpora: &[Corpus],
    rounds: usize,
    clock: Clock,
    mut talk: impl FnMut(&str),
) -> Vec<Row> {
    // A first round is not counted: it fills caches and shows what is done.
    let mut rows: Vec<Row> = contestants
        .iter_mut()
        .map(|one| Row {
            name: one.name,
            kind: one.kind,
            figures: corpora.iter().map(|corpus| first(one, corpus)).collect(),
        })
        .collect();
    let mut times = vec![vec![Vec::with_capacity(rounds); corpora.len()]; contestants.len()];
    for round in 0..rounds {
        talk(&format!("round {} of {rounds}", round + 1));
        for (number, corpus) in corpora.iter().enumerate() {
            for step in 0..contestants.len() {
                let turn = (step + round) % contestants.len();
                let (time, _) = clock.time(|| pass(&mut contestants[turn], corpus));
                times[turn][number].push(time);
            }
        }
    }
    for (row, times) in rows.iter_mut().zip(&mut times) {
        for ((figure, times), corpus) in row.figures.iter_mut().zip(times).zip(corpora) {
            times.sort();
            let speed = |time: Duration| megabytes(corpus.bytes()) / time.as_secs_f64();
            figure.speed = speed(times[times.len() / 2]);
            figure.quickest = speed(times[0]);
            figure.slowest = speed(times[times.len() - 1]);
        }
    }
    rows
}

fn first(contestant: &mut Contestant, corpus: &Corpus) -> Figure {
    Figure {
        speed: 0.0,
        slowest: 0.0,
        quickest: 0.0,
        work: pass(contestant, corpus),
    }
}

/// The contestant's work on every document of the corpus.
fn pass(contestant: &mut Contestant, corpus: &Corpus) -> Work {
    let mut work = Work::default();
    for document in &corpus.documents {
        work += (contestant.run)(document);
    }
    work
}

/// 10^6 bytes.
pub(crate) fn megabytes(bytes: usize) -> f64 {
    #[expect(
        clippy::cast_precision_loss,
        reason = "as many bytes as fit in memory, to some digits"
    )]
    let bytes = bytes as f64;
    bytes / 1e6
}
