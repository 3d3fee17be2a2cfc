//! `absolve resolve`.

use std::io::{self, BufRead, BufWriter, Write};

use absolve::{
    BaseUrlError, Profile, ResolutionStep, ResolutionTrace, ResolveError, Resolver, SkipReason,
    check_base_url,
};
use serde::Serialize;

use super::args::{ResolveArgs, ResolveFormat};
use super::exit::{Abort, Exit};
use super::terminal;

/// The only step if there is no base URL.
const NO_BASE: ResolutionStep = ResolutionStep {
    place: "RFC 1808 section 4, step 1",
    what: "the base URL is empty: the reference is taken as an absolute URL",
};

/// The only step for an absolute reference if the base URL cannot be used.
const NO_BASE_NEEDED: ResolutionStep = ResolutionStep {
    place: "RFC 1808 section 4, step 2b",
    what: "the reference has a scheme: it is absolute, and needs no base URL",
};

pub(super) fn run(args: &ResolveArgs) -> Result<Exit, Abort> {
    let base = args.base.trim_ascii();
    let mut exit = Exit::Done;
    let mut stdout = BufWriter::new(io::stdout().lock());
    let mut print = |reference: &str| -> Result<(), Abort> {
        let resolved = trace(base, reference, args.profile);
        write_result(args, reference, &resolved, &mut stdout)?;
        if let Err(error) = resolved {
            let reference = terminal::quoted(reference);
            let message = match error {
                ResolveError::ReferenceMalformed => format!("{reference}: {error}"),
                _ => format!(
                    "{reference} cannot be resolved against {}: {error}\n  hint: use a base URL such as {}",
                    terminal::quoted(base),
                    match check_base_url(base, args.profile) {
                        Err(BaseUrlError::WindowsPath) => "file:///C:/dir/page.html",
                        _ => "http://a/b/c",
                    }
                ),
            };
            terminal::print_message(&message);
            exit = Exit::Findings;
        }
        Ok(())
    };
    for reference in &args.references {
        if reference != "-" {
            print(reference)?;
            continue;
        }
        for line in io::stdin().lock().lines() {
            let line = line.map_err(|error| {
                Abort::Usage(format!(
                    "cannot read standard input: {error}\n  hint: references must be UTF-8, one per line"
                ))
            })?;
            print(&line)?;
        }
    }
    stdout.flush()?;
    Ok(exit)
}

/// Returns the target of `reference` as one line, and the steps that led to it.
fn trace(base: &str, reference: &str, profile: Profile) -> Result<ResolutionTrace, ResolveError> {
    let without_base = |step| {
        let target = absolve::resolve(base, reference, profile)?.into_owned();
        let steps = vec![step];
        Ok(ResolutionTrace { target, steps })
    };
    let mut trace = match Resolver::new(base, profile) {
        _ if base.is_empty() => without_base(NO_BASE),
        Ok(resolver) => resolver.explain(reference),
        Err(_) => without_base(NO_BASE_NEEDED),
    }?;
    // An absolute reference is its own target, and may have spaces at its ends and line breaks.
    let target = trace.target.trim_matches(|character| character <= ' ');
    trace.target = target.replace(['\t', '\n', '\r'], "");
    Ok(trace)
}

/// A reference and its target in JSON Lines. The names of the fields are part of the contract.
#[derive(Serialize)]
struct ResolvedEntry<'r> {
    reference: &'r str,
    target: Option<&'r str>,
    reason: Option<&'static str>,
    /// Omitted without `--explain`.
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<Vec<String>>,
}

/// Writes the target of a reference as one line, followed by the steps with `--explain`.
fn write_result(
    args: &ResolveArgs,
    reference: &str,
    resolved: &Result<ResolutionTrace, ResolveError>,
    stdout: &mut impl Write,
) -> io::Result<()> {
    let target = resolved.as_ref().ok().map(|trace| &*trace.target);
    let traces = resolved.iter().filter(|_| args.explain);
    let steps = traces.flat_map(|trace| &trace.steps);
    let mut steps = steps.map(|step| format!("{}: {}", step.place, step.what));
    match args.format {
        ResolveFormat::Text => {
            let target = target.unwrap_or_default();
            // Explanations are for people, targets alone are data. Without a target the line is empty, so that lines
            // correspond to references.
            if args.explain {
                writeln!(stdout, "{}", terminal::escape_control(target))?;
            } else {
                writeln!(stdout, "{target}")?;
            }
            steps.try_for_each(|step| writeln!(stdout, "  {step}"))
        }
        ResolveFormat::Jsonl => {
            let entry = ResolvedEntry {
                reference,
                target,
                reason: resolved
                    .as_ref()
                    .err()
                    .map(|&error| SkipReason::from(error).name()),
                steps: args.explain.then(|| steps.collect()),
            };
            serde_json::to_writer(&mut *stdout, &entry)?;
            stdout.write_all(b"\n")
        }
    }
}
