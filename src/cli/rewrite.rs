//! `absolve rewrite`.

use std::borrow::Cow;

use absolve::{BaseSource, CandidateFate, Findings, Outcome, SkipReason, Tree};

use super::args::{BaseElementArg, Emit, RewriteArgs};
use super::input::Input;
use super::output::Output;
use super::settings::{self, Settings};
use super::{Exit, Stop, talk};

pub(super) fn run(args: &RewriteArgs) -> Result<Exit, Stop> {
    let settings = Settings::new(&args.document)?;
    let rewriter = settings::rewriter(&settings, args)?;
    let inputs = Input::from_paths(&args.document.paths)?;
    let outputs = if args.in_place {
        Output::in_place(&inputs, args.backup.as_deref())?
    } else if args.check {
        Output::told(&inputs)
    } else if args.diff {
        Output::shown(&inputs, args.color)
    } else {
        Output::for_inputs(&inputs, args.output.as_deref())?
    };
    let mut exit = Exit::Done;
    for (input, output) in inputs.iter().zip(&outputs) {
        let state = output.state();
        let Some(reading) = input.read(&settings.fetcher) else {
            exit = Exit::Trouble;
            continue;
        };
        let document = &*reading.bytes;
        let (bytes, findings) = match args.emit {
            Emit::Tree if settings.is_style_sheet(input, &reading) => {
                talk::say(&format!(
                    "{}: a style sheet, which has no tree; leave out --emit tree",
                    input.name()
                ));
                exit = Exit::Trouble;
                continue;
            }
            Emit::Source => {
                let rewritten = rewriter.rewrite(&settings.document(input, &reading));
                (rewritten.bytes, rewritten.findings)
            }
            Emit::Tree => match Tree::parse_bytes(document, settings.encoding(&reading)) {
                Ok(tree) => {
                    let findings = rewriter.rewrite_tree(&tree, &settings.candidates(&reading));
                    (Cow::Owned(tree.serialize_bytes()), findings)
                }
                Err(unread) => {
                    let mut findings = Findings::default();
                    findings.unread = Some(unread);
                    (Cow::Borrowed(document), findings)
                }
            },
        };
        match (output, output.write(&bytes, document, state.as_ref())) {
            (_, Ok(())) => {}
            (Output::Stdout | Output::Told(_) | Output::Shown { .. }, Err(error)) => {
                return Err(error.into());
            }
            (Output::File(_) | Output::InPlace { .. }, Err(error)) => {
                talk::say(&format!("{}: cannot be written: {error}", output.name()));
                exit = Exit::Trouble;
                continue;
            }
        }
        if output.is_dry() && *bytes != *document {
            exit = exit.max(Exit::Findings);
        }
        exit = exit.max(input.report_unread(&findings));
        let failures = failures(&findings);
        if !args.quiet {
            let moved = moved_by_removal(args, &findings);
            remark(input, &findings, &failures, moved);
        }
        if args.strict && !failures.is_empty() {
            exit = exit.max(Exit::Findings);
        }
    }
    Ok(exit)
}

/// References that were left for one reason, which should not be.
struct Failure {
    reason: SkipReason,
    count: usize,
}

/// The references that could not be resolved or written, by reason.
fn failures(findings: &Findings<'_>) -> Vec<Failure> {
    let mut failures: Vec<Failure> = Vec::new();
    for judged in &findings.links {
        let Outcome::Skipped(reason) = judged.outcome else {
            continue;
        };
        if !reason.is_failure() {
            continue;
        }
        match failures.iter_mut().find(|other| other.reason == reason) {
            Some(failure) => failure.count += 1,
            None => failures.push(Failure { reason, count: 1 }),
        }
    }
    failures
}

/// How many relative references lead elsewhere because the BASE that gave them their base URL was removed.
fn moved_by_removal(args: &RewriteArgs, findings: &Findings<'_>) -> Option<usize> {
    let base = findings.base.base.as_ref()?;
    if base.source != BaseSource::Embedded || !matches!(args.base_element, BaseElementArg::Remove) {
        return None;
    }
    let is_moved = |outcome: &Outcome| {
        let Outcome::Skipped(reason) = outcome else {
            return false;
        };
        // Kept fragments are meant to name the document itself.
        !matches!(
            reason,
            SkipReason::Empty | SkipReason::Local | SkipReason::Fragment
        )
    };
    let links = findings.links.iter();
    let count = links.filter(|judged| is_moved(&judged.outcome)).count();
    (count > 0).then_some(count)
}

/// Says what a person should know about a document that was rewritten.
fn remark(input: &Input, findings: &Findings<'_>, failures: &[Failure], moved: Option<usize>) {
    let name = input.name();
    for candidate in &findings.base.candidates {
        let (source, value) = (candidate.source.name(), talk::quoted(&candidate.value));
        match candidate.fate {
            CandidateFate::Used
            | CandidateFate::Completing
            | CandidateFate::Overridden
            | CandidateFate::InTemplate => {}
            fate => talk::say(&format!("{name}: {source} base URL {value}: {fate}")),
        }
    }
    if findings.unread_tags > 0 {
        let tags = findings.unread_tags;
        talk::say(&format!(
            "{name}: {tags} tags stay as they are because two ways of reading them do not agree; please report this"
        ));
    }
    if let Some(count) = moved {
        talk::say(&format!(
            "{name}: BASE was removed; relative references that were left and resolve without it now: {count}; absolve links names them"
        ));
    }
    for &Failure { reason, count } in failures {
        let references = if count == 1 {
            "reference was"
        } else {
            "references were"
        };
        let message = match reason {
            SkipReason::NoBase => format!(
                "{count} relative {references} left as written: no base URL is known; give one with --url"
            ),
            reason => {
                format!("{count} {references} left as written: {reason}; absolve links names them")
            }
        };
        talk::say(&format!("{name}: {message}"));
    }
}
