//! `absolve resolve`.

use std::io::{self, BufRead, BufWriter, Write};

use absolve::Profile;

use super::args::ResolveArgs;
use super::{Exit, Stop, talk};

pub(super) fn run(args: &ResolveArgs) -> Result<Exit, Stop> {
    let profile = Profile::from(args.profile);
    let mut stdout = BufWriter::new(io::stdout().lock());
    let mut print = |reference: &str| match absolve::resolve(&args.base, reference, profile) {
        Ok(target) => writeln!(stdout, "{target}").map_err(Stop::from),
        Err(error) => {
            let base = talk::quoted(&args.base);
            Err(Stop::Usage(format!(
                "{base}: {error}; give a whole URL, such as http://a/b/c"
            )))
        }
    };
    for reference in &args.references {
        if reference != "-" {
            print(reference)?;
            continue;
        }
        for line in io::stdin().lock().lines() {
            let line = line.map_err(|error| {
                Stop::Usage(format!(
                    "standard input: cannot be read: {error}; give references as UTF-8, one a line"
                ))
            })?;
            print(&line)?;
        }
    }
    stdout.flush()?;
    Ok(Exit::Done)
}
