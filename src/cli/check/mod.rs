//! `absolve check`.

mod explain;
mod github;
mod json;
mod sarif;
mod select;
mod text;

use std::io::{self, BufWriter, Write};
use std::sync::atomic::AtomicBool;

use absolve::{Excerpt, Finding, Span};

use super::answer::Answer;
use super::args::{CheckArgs, CheckFormat};
use super::delivery::Delivery;
use super::input::Input;
use super::settings::Settings;
use super::walk::Inputs;
use super::{Exit, Stop, diff, jobs, talk};
use select::Selection;

/// A finding, with what there is to show of its place.
struct Found<'f> {
    /// The path of the document as it was given; `-` for standard input.
    path: &'f str,
    finding: &'f Finding,
    /// `None` if it cannot be pointed at.
    excerpt: Option<&'f Excerpt>,
}

pub(super) fn run(args: &CheckArgs) -> Result<Exit, Stop> {
    if let Some(name) = &args.explain {
        let mut stdout = BufWriter::new(io::stdout().lock());
        explain::write(name.as_deref(), &mut stdout)?;
        stdout.flush()?;
        return Ok(Exit::Done);
    }
    let selection = Selection::new(&args.select, &args.ignore)?;
    let settings = Settings::new(&args.document)?;
    let mut inputs = Inputs::new(&args.document)?;
    let settings = settings.with_inputs(&inputs, &args.document)?;
    let run = &args.document.run;
    let mut delivery = Delivery::new(run, &inputs, inputs.documents.len(), true);
    delivery.tell_troubles(&mut inputs)?;
    let mut writer = Writer::new(args, &selection);
    let mut first = Answer::default();
    writer.begin(&mut first.data)?;
    delivery.tell(&first)?;
    let mut counts = Counts::default();
    let done = jobs::in_order(
        &inputs.documents,
        jobs::threads(run.threads),
        &AtomicBool::new(false),
        |input| check(input, &settings, &selection),
        |mut checked: Checked| {
            counts.add(&checked);
            for place in &checked.places {
                writer.write(&checked.path, place, &mut checked.answer.data)?;
            }
            delivery.take(&checked.answer)
        },
    )?;
    let mut last = Answer::default();
    writer.end(&mut last.data)?;
    delivery.tell(&last)?;
    let exit = delivery.finish(done, |_| counts.summary())?;
    if !inputs.has_directory() && !run.quiet {
        talk::say(&counts.summary());
    }
    let found = if counts.findings > 0 {
        Exit::Findings
    } else {
        Exit::Done
    };
    Ok(exit.max(found))
}

/// What was found in one document.
struct Checked {
    path: String,
    places: Vec<Place>,
    answer: Answer,
}

/// A finding and where it stands, as people see it.
struct Place {
    finding: Finding,
    /// `None` if it cannot be pointed at.
    excerpt: Option<Excerpt>,
}

fn check(input: &Input, settings: &Settings<'_>, selection: &Selection) -> Checked {
    let mut checked = Checked {
        path: input.path(),
        places: Vec::new(),
        answer: Answer::default(),
    };
    let answer = &mut checked.answer;
    let Some(reading) = input.read(&settings.fetcher, answer) else {
        return checked;
    };
    let url = settings.url_of(input, &reading);
    let document = settings.document(input, &reading, url.as_deref());
    let found = settings.rewriter.check(&document);
    if let Some(unread) = found.unread {
        input.report(unread, answer);
        return checked;
    }
    answer.tally.documents = 1;
    answer.tally.bytes = reading.bytes.len() as u64;
    let selected = found.findings.into_iter();
    let selected: Vec<Finding> = selected
        .filter(|finding| selection.has(finding.rule))
        .collect();
    let spans: Vec<Span> = selected.iter().filter_map(|finding| finding.span).collect();
    let mut excerpts = document.excerpts(&spans).into_iter();
    let located = selected.into_iter().map(|finding| Place {
        excerpt: finding.span.and_then(|_| excerpts.next()),
        finding,
    });
    checked.places = located.collect();
    answer.detail(format!(
        "{}: {}",
        input.name(),
        several(checked.places.len(), "finding")
    ));
    checked
}

/// What a run adds up to.
#[derive(Default)]
struct Counts {
    findings: usize,
    documents: usize,
    with_findings: usize,
}

impl Counts {
    fn add(&mut self, checked: &Checked) {
        self.findings += checked.places.len();
        self.documents += checked.answer.tally.documents;
        self.with_findings += usize::from(!checked.places.is_empty());
    }

    fn summary(&self) -> String {
        let documents = several(self.documents, "document");
        match self.findings {
            0 => format!("no findings in {documents}"),
            findings => format!(
                "{} in {} of {documents}",
                several(findings, "finding"),
                self.with_findings
            ),
        }
    }
}

fn several(number: usize, noun: &str) -> String {
    match number {
        1 => format!("1 {noun}"),
        _ => format!("{number} {noun}s"),
    }
}

/// Writes findings in one of the formats.
struct Writer<'w> {
    format: CheckFormat,
    is_coloured: bool,
    selection: &'w Selection,
    /// Whether a finding was written.
    has_any: bool,
}

impl<'w> Writer<'w> {
    fn new(args: &CheckArgs, selection: &'w Selection) -> Self {
        Self {
            format: args.format,
            is_coloured: args.format == CheckFormat::Text && diff::is_coloured(args.color),
            selection,
            has_any: false,
        }
    }

    fn begin(&self, to: &mut impl Write) -> io::Result<()> {
        match self.format {
            CheckFormat::Text | CheckFormat::Github => Ok(()),
            CheckFormat::Json => write!(to, "["),
            CheckFormat::Sarif => sarif::begin(self.selection, to),
        }
    }

    fn write(&mut self, path: &str, place: &Place, to: &mut impl Write) -> io::Result<()> {
        let found = &Found {
            path,
            finding: &place.finding,
            excerpt: place.excerpt.as_ref(),
        };
        let is_first = !std::mem::replace(&mut self.has_any, true);
        let separator = if is_first { "\n" } else { ",\n" };
        match self.format {
            CheckFormat::Text => text::write(found, self.is_coloured, to),
            CheckFormat::Json => {
                to.write_all(separator.as_bytes())?;
                json::write(found, to)
            }
            CheckFormat::Github => github::write(found, to),
            CheckFormat::Sarif => {
                to.write_all(separator.as_bytes())?;
                sarif::write(found, self.selection, to)
            }
        }
    }

    fn end(&self, to: &mut impl Write) -> io::Result<()> {
        let line_end = if self.has_any { "\n" } else { "" };
        match self.format {
            CheckFormat::Text | CheckFormat::Github => Ok(()),
            CheckFormat::Json => writeln!(to, "{line_end}]"),
            CheckFormat::Sarif => sarif::end(to),
        }
    }
}
