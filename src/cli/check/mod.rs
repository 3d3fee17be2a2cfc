//! `absolve check`.

mod explain;
mod github;
mod json;
mod sarif;
mod select;
mod text;

use std::io::{self, BufWriter, Write};
use std::sync::atomic::AtomicBool;

use absolve::archive::Entity;
use absolve::container::Format;
use absolve::{Document, Excerpt, Finding, Span};

use super::args::{CheckArgs, CheckFormat};
use super::input::{self, Input};
use super::input_kind::InputKind;
use super::job_result::JobResult;
use super::reporter::{Reporter, StdoutUse};
use super::settings::Settings;
use super::walk::Inputs;
use super::{Abort, Exit, containers, jobs, terminal};
use select::RuleSelection;
use text::TextStyle;

/// Maximum sum of the documents and findings of a container that are held; a larger batch is handed over.
const MAX_PENDING: usize = 200;

/// A finding with its location, as the output formats need it.
struct ReportedFinding<'f> {
    /// The path of the input as the user gave it; `-` for standard input.
    path: &'f str,
    /// The label of the document in a container, if the input is one.
    entity: Option<&'f str>,
    finding: &'f Finding,
    /// `None` if the finding has no span.
    excerpt: Option<&'f Excerpt>,
}

impl ReportedFinding<'_> {
    /// Returns the excerpt if its lines are lines of the file at `path`. In a container they are lines of one of its
    /// documents.
    fn excerpt_of_file(&self) -> Option<&Excerpt> {
        self.excerpt.filter(|_| self.entity.is_none())
    }

    /// Returns message and help in one line, preceded by the label and the position if the document is in a
    /// container.
    fn message(&self) -> String {
        let message = format!("{}; {}", self.finding.message, self.finding.help);
        match (self.entity, self.excerpt) {
            (Some(label), Some(Excerpt { start, .. })) => {
                format!("{label}:{}:{}: {message}", start.line, start.column)
            }
            (Some(label), None) => format!("{label}: {message}"),
            (None, _) => message,
        }
    }
}

pub(super) fn run(args: &CheckArgs) -> Result<Exit, Abort> {
    if let Some(name) = &args.explain {
        let mut stdout = BufWriter::new(io::stdout().lock());
        explain::write(name.as_deref(), &mut stdout)?;
        stdout.flush()?;
        return Ok(Exit::Done);
    }
    let selection = RuleSelection::new(&args.select, &args.ignore)?;
    let settings = Settings::new(&args.document)?;
    let mut inputs = Inputs::new(&args.document)?;
    let settings = settings.with_inputs(&inputs, &args.document)?;
    let run = &args.document.run;
    let mut reporter = Reporter::new(run, &inputs, inputs.documents.len(), StdoutUse::Data);
    reporter.emit_input_messages(&mut inputs)?;
    let mut writer = FindingWriter::new(args, &selection);
    let mut first = JobResult::default();
    writer.begin(&mut first.data)?;
    reporter.emit(&first)?;
    let mut counts = Counts::default();
    let threads = jobs::threads(run.threads);
    let never = AtomicBool::new(false);
    let mut done = 0;
    let mut emit_document = |mut checked: CheckedDocument, reporter: &mut Reporter<'_>| {
        counts.add(&checked);
        for place in &checked.places {
            writer.write(&checked.path, place, &mut checked.job_result.data)?;
        }
        reporter.emit(&checked.job_result)
    };
    let is_archive = |input: &Input| settings.is_archive(input);
    let checking = CheckRun {
        settings: &settings,
        selection: &selection,
    };
    // Ordinary inputs run in parallel. Archives run one at a time, with their documents in parallel.
    for part in inputs
        .documents
        .chunk_by(|one, next| !is_archive(one) && !is_archive(next))
    {
        match part {
            [input] if is_archive(input) => {
                checking.archive(input, threads, |checked| {
                    emit_document(checked, &mut reporter)
                })?;
                reporter.deliver(&JobResult::default())?;
                done += 1;
            }
            _ => {
                let check = |input: &Input, emit: &mut EmitChecked<'_>| checking.check(input, emit);
                let deliver = |all: Vec<CheckedDocument>, extent| {
                    for checked in all {
                        emit_document(checked, &mut reporter)?;
                    }
                    reporter.deliver_part(&JobResult::default(), extent)
                };
                done += jobs::for_each_ordered_in_parts(part, threads, &never, check, deliver)?;
            }
        }
    }
    let mut last = JobResult::default();
    writer.end(&mut last.data)?;
    reporter.emit(&last)?;
    let exit = reporter.finish(done, |_| counts.summary())?;
    if !inputs.has_directory() && !run.quiet {
        terminal::print_message(&counts.summary());
    }
    let found = if counts.findings > 0 {
        Exit::Findings
    } else {
        Exit::Done
    };
    Ok(exit.max(found))
}

/// The findings and messages for one document, or the messages for an input as a whole.
struct CheckedDocument {
    path: String,
    places: Vec<LocatedFinding>,
    job_result: JobResult,
}

/// An owned [`ReportedFinding`] without the path, as a job returns it.
struct LocatedFinding {
    /// See [`ReportedFinding::entity`].
    entity: Option<String>,
    finding: Finding,
    /// `None` if the finding has no span.
    excerpt: Option<Excerpt>,
}

/// See [`jobs::EmitPart`].
type EmitChecked<'h> = jobs::EmitPart<'h, Vec<CheckedDocument>>;

/// Hands over the results `all` in batches, so that a container of any size needs little memory; returns the last
/// batch.
fn in_batches(
    all: impl Iterator<Item = CheckedDocument>,
    emit: &mut EmitChecked<'_>,
) -> Vec<CheckedDocument> {
    let mut in_batches = Vec::new();
    let mut weight = 0;
    for checked in all {
        weight += 1 + checked.places.len();
        in_batches.push(checked);
        if weight > MAX_PENDING {
            weight = 0;
            if !emit(std::mem::take(&mut in_batches)) {
                break;
            }
        }
    }
    in_batches
}

/// The settings that all documents of a run share.
struct CheckRun<'c> {
    settings: &'c Settings<'c>,
    selection: &'c RuleSelection,
}

impl CheckRun<'_> {
    /// Checks an input that is read as a whole. The documents of a container are checked one by one, and handed over in
    /// batches.
    fn check(&self, input: &Input, emit: &mut EmitChecked<'_>) -> Vec<CheckedDocument> {
        let settings = self.settings;
        let mut first = CheckedDocument::new(input);
        let Some(loaded) = input.read(&settings.fetcher, &mut first.job_result) else {
            return vec![first];
        };
        let url = settings.retrieval_url(input, &loaded);
        match settings.input_kind(input, &loaded) {
            InputKind::Document(kind) => {
                let document = settings.document(kind, &loaded, url.as_deref());
                self.document(
                    &input.name(),
                    &document,
                    loaded.bytes.len(),
                    None,
                    &mut first,
                );
                vec![first]
            }
            InputKind::Container(Format::Warc) => {
                let archive = settings.archive_settings(url.as_deref());
                let found = containers::in_archive(&*loaded.bytes, &archive);
                in_batches(found.map(|found| self.found(input, found)), emit)
            }
            InputKind::Container(format) => {
                match settings.container(format, &loaded.bytes, url.as_deref()) {
                    Ok(container) => {
                        containers::report_container_errors(
                            input,
                            &container,
                            &mut first.job_result,
                        );
                        let entities = container.entities().iter();
                        let entities = entities.map(|entity| self.entity(input, entity));
                        in_batches(std::iter::once(first).chain(entities), emit)
                    }
                    Err(error) => {
                        containers::report_not_a_container(
                            input,
                            format,
                            error,
                            &mut first.job_result,
                        );
                        vec![first]
                    }
                }
            }
        }
    }

    /// Checks the documents of an archive while it is read, and delivers the results in order.
    fn archive(
        &self,
        input: &Input,
        threads: usize,
        mut deliver: impl FnMut(CheckedDocument) -> Result<(), Abort> + Send,
    ) -> Result<(), Abort> {
        let archive = match input.open() {
            Ok(archive) => archive,
            Err(error) => {
                let mut checked = CheckedDocument::new(input);
                let what = format!("cannot read {}: {error}", input.name());
                checked.job_result.error(what);
                return deliver(checked);
            }
        };
        let url = self.settings.url_from_args(input);
        let found =
            containers::in_archive(archive, &self.settings.archive_settings(url.as_deref()));
        let threads = containers::threads(threads);
        let work = |found| self.found(input, found);
        let never = AtomicBool::new(false);
        jobs::for_each_ordered_weighted(found, containers::weight, threads, &never, work, deliver)?;
        Ok(())
    }

    /// Checks a document of an archive, or reports the error in its place.
    fn found(&self, input: &Input, found: containers::EntityResult) -> CheckedDocument {
        match found {
            Ok(entity) => self.entity(input, &entity),
            Err(error) => {
                let mut checked = CheckedDocument::new(input);
                containers::report_error(&input.name(), error, &mut checked.job_result);
                checked
            }
        }
    }

    /// Checks a document of a container.
    fn entity(&self, input: &Input, entity: &Entity<'_>) -> CheckedDocument {
        let mut checked = CheckedDocument::new(input);
        containers::report_entity_error(input, entity, &mut checked.job_result);
        let document = self.settings.entity_document(entity);
        let (name, length) = (containers::name(input, entity), entity.bytes.len());
        self.document(&name, &document, length, Some(&entity.label), &mut checked);
        checked
    }

    /// Checks a document and adds its findings to `checked`.
    fn document(
        &self,
        name: &str,
        document: &Document<'_>,
        length: usize,
        entity: Option<&str>,
        checked: &mut CheckedDocument,
    ) {
        let job_result = &mut checked.job_result;
        let found = self.settings.rewriter.check(document);
        if let Some(unsupported) = found.unsupported {
            input::report_unsupported_reason(name, unsupported, job_result);
            return;
        }
        job_result.tally.documents = 1;
        job_result.tally.bytes = length as u64;
        let selected = found.findings.into_iter();
        let selected: Vec<Finding> = selected
            .filter(|finding| self.selection.has(finding.rule))
            .collect();
        let spans: Vec<Span> = selected.iter().filter_map(|finding| finding.span).collect();
        let mut excerpts = document.excerpts(&spans).into_iter();
        let located = selected.into_iter().map(|finding| LocatedFinding {
            entity: entity.map(str::to_owned),
            excerpt: finding.span.and_then(|_| excerpts.next()),
            finding,
        });
        checked.places = located.collect();
        let findings = several(checked.places.len(), "finding");
        job_result.info(format!("{name}: {findings}"));
    }
}

impl CheckedDocument {
    /// Creates an empty result for `input`.
    fn new(input: &Input) -> Self {
        Self {
            path: input.path(),
            places: Vec::new(),
            job_result: JobResult::default(),
        }
    }
}

/// The totals of a run.
#[derive(Default)]
struct Counts {
    findings: usize,
    documents: usize,
    /// Number of documents with findings.
    with_findings: usize,
}

impl Counts {
    fn add(&mut self, checked: &CheckedDocument) {
        self.findings += checked.places.len();
        self.documents += checked.job_result.tally.documents;
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
struct FindingWriter<'w> {
    format: CheckFormat,
    style: TextStyle,
    selection: &'w RuleSelection,
    /// Whether a finding has been written.
    has_any: bool,
}

impl<'w> FindingWriter<'w> {
    fn new(args: &CheckArgs, selection: &'w RuleSelection) -> Self {
        Self {
            format: args.format,
            style: TextStyle::of(args.color),
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

    fn write(&mut self, path: &str, place: &LocatedFinding, to: &mut impl Write) -> io::Result<()> {
        let found = &ReportedFinding {
            path,
            entity: place.entity.as_deref(),
            finding: &place.finding,
            excerpt: place.excerpt.as_ref(),
        };
        let is_first = !std::mem::replace(&mut self.has_any, true);
        let separator = if is_first { "\n" } else { ",\n" };
        match self.format {
            CheckFormat::Text => text::write(found, self.style, to),
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
