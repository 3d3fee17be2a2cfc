//! `absolve resolve`.

use std::io::{self, BufRead, BufWriter, Write};

use absolve::options::check_base_url;
use absolve::resolution::ResolutionTrace;
use absolve::{ResolveError, SkipReason};
use serde::Serialize;

use crate::args::{ResolveArgs, ResolveFormat};
use crate::exit::{Abort, Exit};
use crate::print::{format, terminal};

pub(crate) fn run(args: &ResolveArgs) -> Result<Exit, Abort> {
    let base = args.base.trim_ascii();
    let mut exit = Exit::Done;
    let mut stdout = BufWriter::new(io::stdout().lock());
    let mut print = |reference: &str| -> Result<(), Abort> {
        let resolved = absolve::resolution::explain(base, reference, args.profile);
        write_result(args, reference, &resolved, &mut stdout)?;
        if let Err(error) = resolved {
            let reference = terminal::quoted(reference);
            let message = match check_base_url("BASE", base, args.profile) {
                Err(invalid) if error != ResolveError::ReferenceMalformed => format!(
                    "{reference} cannot be resolved against {}: {error}\n  hint: {}",
                    terminal::quoted(base),
                    invalid.hint
                ),
                _ => format!("{reference}: {error}"),
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
            format::write_json(&entry, stdout)
        }
    }
}
