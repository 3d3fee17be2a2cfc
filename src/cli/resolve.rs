//! `absolve resolve`.

use std::io::{self, BufRead, BufWriter, Write};

use absolve::{Profile, Resolver, is_absolute};

use super::args::ResolveArgs;
use super::{Abort, Exit, terminal};

pub(super) fn run(args: &ResolveArgs) -> Result<Exit, Abort> {
    let profile = Profile::from(args.profile);
    let base = args.base.trim_ascii();
    let mut exit = Exit::Done;
    let mut stdout = BufWriter::new(io::stdout().lock());
    let mut print = |reference: &str| {
        let result = if args.explain && !base.is_empty() {
            explain(base, reference, profile, &mut stdout)?
        } else {
            target(base, reference, profile, &mut stdout)?
        };
        if let Err(error) = result {
            let (base, reference) = (terminal::quoted(base), terminal::quoted(reference));
            match error {
                absolve::ResolveError::ReferenceMalformed => {
                    terminal::print_message(&format!("{reference}: {error}; mend it"));
                }
                _ => {
                    return Err(Abort::Usage(format!(
                        "{base}: {error}; give a whole URL, such as http://a/b/c"
                    )));
                }
            }
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
                    "standard input: cannot be read: {error}; give references as UTF-8, one a line"
                ))
            })?;
            print(&line)?;
        }
    }
    stdout.flush()?;
    Ok(exit)
}

type Resolved = Result<(), absolve::ResolveError>;

fn target(
    base: &str,
    reference: &str,
    profile: Profile,
    stdout: &mut impl Write,
) -> io::Result<Resolved> {
    match absolve::resolve(base, reference, profile) {
        // One result a line, whatever is in it.
        Ok(target) => writeln!(stdout, "{}", target.replace(['\t', '\n', '\r'], "")).map(Ok),
        Err(error) => Ok(Err(error)),
    }
}

/// The target, and below it the steps that led there.
fn explain(
    base: &str,
    reference: &str,
    profile: Profile,
    stdout: &mut impl Write,
) -> io::Result<Resolved> {
    let resolution =
        match Resolver::new(base, profile).and_then(|resolver| resolver.explain(reference)) {
            Ok(resolution) => resolution,
            // An absolute reference does not ask for the base.
            Err(_) if is_absolute(reference, profile) => {
                return target(base, reference, profile, stdout);
            }
            Err(error) => return Ok(Err(error)),
        };
    writeln!(stdout, "{}", terminal::escape_control(&resolution.target))?;
    for step in &resolution.steps {
        writeln!(stdout, "  {}: {}", step.place, step.what)?;
    }
    Ok(Ok(()))
}
