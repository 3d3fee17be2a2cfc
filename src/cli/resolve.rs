//! `absolve resolve`.

use std::io::{self, BufRead, BufWriter, Write};

use absolve::{Profile, ResolveError, Resolver};

use super::args::ResolveArgs;
use super::exit::{Abort, Exit};
use super::terminal;

pub(super) fn run(args: &ResolveArgs) -> Result<Exit, Abort> {
    let profile = args.profile;
    let base = args.base.trim_ascii();
    let mut exit = Exit::Done;
    let mut stdout = BufWriter::new(io::stdout().lock());
    let mut print = |reference: &str| {
        let result = if args.explain && !base.is_empty() {
            write_explanation(base, reference, profile, &mut stdout)?
        } else {
            write_target(base, reference, profile, &mut stdout)?
        };
        if let Err(error) = result {
            if error != ResolveError::ReferenceMalformed {
                let hint = "use an absolute URL such as http://a/b/c";
                return Err(Abort::invalid_value("BASE", base, error, hint));
            }
            let reference = terminal::quoted(reference);
            terminal::print_message(&format!("{reference}: {error}"));
            exit = Exit::Error;
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

/// Outcome of a resolution, apart from errors of standard output.
type Resolved = Result<(), ResolveError>;

/// Writes the target of a reference as one line.
fn write_target(
    base: &str,
    reference: &str,
    profile: Profile,
    stdout: &mut impl Write,
) -> io::Result<Resolved> {
    match absolve::resolve(base, reference, profile) {
        // One result per line, even if the reference contains line breaks.
        Ok(target) => {
            let target = target.trim_matches(|character| character <= ' ');
            writeln!(stdout, "{}", target.replace(['\t', '\n', '\r'], "")).map(Ok)
        }
        Err(error) => Ok(Err(error)),
    }
}

/// Writes the target of a reference, followed by the steps of the resolution.
fn write_explanation(
    base: &str,
    reference: &str,
    profile: Profile,
    stdout: &mut impl Write,
) -> io::Result<Resolved> {
    let trace = Resolver::new(base, profile).and_then(|resolver| resolver.explain(reference));
    let Ok(trace) = trace else {
        // An absolute reference resolves without a base, so an unusable base is no error.
        return write_target(base, reference, profile, stdout);
    };
    writeln!(stdout, "{}", terminal::escape_control(&trace.target))?;
    for step in &trace.steps {
        writeln!(stdout, "  {}: {}", step.place, step.what)?;
    }
    Ok(Ok(()))
}
