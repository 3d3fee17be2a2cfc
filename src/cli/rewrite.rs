//! `absolve rewrite`.

use std::borrow::Cow;

use absolve::{CandidateFate, Findings, Outcome, SkipReason, Tree};

use super::args::{Emit, RewriteArgs};
use super::input::Input;
use super::output::Output;
use super::settings::Settings;
use super::{Exit, Stop, talk};

pub(super) fn run(args: &RewriteArgs) -> Result<Exit, Stop> {
    let settings = Settings::new(&args.document)?;
    let inputs = Input::from_paths(&args.document.paths);
    let outputs = Output::for_inputs(&inputs, args.output.as_deref())?;
    let mut exit = Exit::Done;
    for (input, output) in inputs.iter().zip(&outputs) {
        let Some(document) = input.read() else {
            exit = Exit::Trouble;
            continue;
        };
        let (bytes, findings) = match args.emit {
            Emit::Source => {
                let rewritten = settings.rewriter.rewrite(&settings.document(&document));
                (rewritten.bytes, rewritten.findings)
            }
            Emit::Tree => {
                let tree = Tree::parse_bytes(&document, settings.encoding);
                let findings = settings.rewriter.rewrite_tree(&tree, &settings.candidates);
                (Cow::Owned(tree.serialize_bytes()), findings)
            }
        };
        match (output, output.write(&bytes)) {
            (_, Ok(())) => {}
            (Output::Stdout, Err(error)) => return Err(error.into()),
            (Output::File(path), Err(error)) => {
                let path = talk::visible(&path.to_string_lossy());
                talk::trouble(&format!("{path}: cannot be written: {error}"));
                exit = Exit::Trouble;
                continue;
            }
        }
        let left = count_without_base(&findings);
        if !args.quiet {
            remark(input, &findings, left);
        }
        if args.strict && left > 0 {
            exit = exit.max(Exit::Findings);
        }
    }
    Ok(exit)
}

/// How many relative references were left because no base URL is known.
fn count_without_base(findings: &Findings) -> usize {
    let is_left = |outcome: &Outcome| matches!(outcome, Outcome::Skipped(SkipReason::NoBase));
    findings
        .links
        .iter()
        .filter(|judged| is_left(&judged.outcome))
        .count()
}

/// Says what a person should know about a document that was rewritten.
fn remark(input: &Input, findings: &Findings, left: usize) {
    let name = input.name();
    for candidate in &findings.base.candidates {
        let (source, value) = (candidate.source.name(), talk::quoted(&candidate.value));
        match candidate.fate {
            CandidateFate::Used
            | CandidateFate::Completing
            | CandidateFate::Overridden
            | CandidateFate::InTemplate => {}
            fate => talk::trouble(&format!("{name}: {source} base URL {value}: {fate}")),
        }
    }
    if findings.is_too_long {
        talk::trouble(&format!(
            "{name}: left as it is: documents of four gigabytes and more are not read; split it"
        ));
    }
    if findings.unread_tags > 0 {
        let tags = findings.unread_tags;
        talk::trouble(&format!(
            "{name}: {tags} tags stay as they are because two ways of reading them do not agree; please report this"
        ));
    }
    if left > 0 {
        let references = if left == 1 {
            "reference was"
        } else {
            "references were"
        };
        talk::trouble(&format!(
            "{name}: {left} relative {references} left as written: no base URL is known; give one with --url"
        ));
    }
}
