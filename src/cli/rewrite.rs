//! `absolve rewrite`.

use std::borrow::Cow;

use absolve::{CandidateFate, Findings, Outcome, SkipReason, Tree};

use super::args::{Emit, RewriteArgs};
use super::input::Input;
use super::output::Output;
use super::settings::{self, Settings};
use super::{Exit, Stop, talk};

pub(super) fn run(args: &RewriteArgs) -> Result<Exit, Stop> {
    let settings = Settings::new(&args.document)?;
    let rewriter = settings::rewriter(&settings, args)?;
    let inputs = Input::from_paths(&args.document.paths)?;
    let outputs = Output::for_inputs(&inputs, args.output.as_deref())?;
    let mut exit = Exit::Done;
    for (input, output) in inputs.iter().zip(&outputs) {
        let Some(document) = input.read() else {
            exit = Exit::Trouble;
            continue;
        };
        let (bytes, findings) = match args.emit {
            Emit::Tree if settings.is_style_sheet(input) => {
                talk::say(&format!(
                    "{}: a style sheet, which has no tree; leave out --emit tree",
                    input.name()
                ));
                exit = Exit::Trouble;
                continue;
            }
            Emit::Source => {
                let rewritten = rewriter.rewrite(&settings.document(input, &document));
                (rewritten.bytes, rewritten.findings)
            }
            Emit::Tree => match Tree::parse_bytes(&document, settings.encoding) {
                Ok(tree) => {
                    let findings = rewriter.rewrite_tree(&tree, &settings.candidates);
                    (Cow::Owned(tree.serialize_bytes()), findings)
                }
                Err(unread) => {
                    let findings = Findings {
                        unread: Some(unread),
                        ..Findings::default()
                    };
                    (Cow::Borrowed(&*document), findings)
                }
            },
        };
        match (output, output.write(&bytes)) {
            (_, Ok(())) => {}
            (Output::Stdout, Err(error)) => return Err(error.into()),
            (Output::File(path), Err(error)) => {
                let path = talk::visible(&path.to_string_lossy());
                talk::say(&format!("{path}: cannot be written: {error}"));
                exit = Exit::Trouble;
                continue;
            }
        }
        exit = exit.max(input.report_unread(&findings));
        let left = Left::of(&findings, |reason| reason == SkipReason::NoBase);
        let unwritten = Left::of(&findings, |reason| {
            matches!(
                reason,
                SkipReason::Malformed
                    | SkipReason::Undecodable
                    | SkipReason::EncodingDeclaration
                    | SkipReason::Unwritable
                    | SkipReason::TooDeep
            )
        });
        if !args.quiet {
            remark(input, &findings, left, unwritten);
        }
        if args.strict && left.count + unwritten.count > 0 {
            exit = exit.max(Exit::Findings);
        }
    }
    Ok(exit)
}

/// References that were left for reasons of one kind.
#[derive(Clone, Copy)]
struct Left {
    count: usize,
    /// The first one's.
    reason: Option<SkipReason>,
}

impl Left {
    fn of(findings: &Findings<'_>, is_it: impl Fn(SkipReason) -> bool) -> Self {
        let mut reasons = findings
            .links
            .iter()
            .filter_map(|judged| match judged.outcome {
                Outcome::Skipped(reason) if is_it(reason) => Some(reason),
                _ => None,
            });
        let reason = reasons.next();
        Self {
            count: reasons.count() + usize::from(reason.is_some()),
            reason,
        }
    }
}

/// Says what a person should know about a document that was rewritten.
fn remark(input: &Input, findings: &Findings<'_>, left: Left, unwritten: Left) {
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
    if let Some(reason) = unwritten.reason {
        let count = unwritten.count;
        talk::say(&format!(
            "{name}: references left as written: {count}: {reason}"
        ));
    }
    let left = left.count;
    if left > 0 {
        let references = if left == 1 {
            "reference was"
        } else {
            "references were"
        };
        talk::say(&format!(
            "{name}: {left} relative {references} left as written: no base URL is known; give one with --url"
        ));
    }
}
