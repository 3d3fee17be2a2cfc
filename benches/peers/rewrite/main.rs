//! What making the links of pages absolute costs: absolve beside other tools, in one process, one after the other.
//!
//! `README.md` in the folder above says how it is run and read.

mod arguments;
mod attributes;
mod clock;
mod contestant;
mod corpus;
mod html5ever_walk;
mod lol;
mod machine;
mod measure;
mod plot;
mod report;
mod scaling;

use std::fs;
use std::io::{self, Write};
use std::process::ExitCode;

use arguments::{Arguments, Documents};
use contestant::Contestant;
use corpus::Corpus;
use machine::Machine;
use report::Report;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            talk(&message);
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let arguments = Arguments::read()?;
    let mut contestants = Contestant::all();
    contestants.retain(|one| arguments.is_wanted(one.name));
    if contestants.is_empty() {
        return Err(
            "no contestant has a name with that in it; leave out --only to see them all".to_owned(),
        );
    }
    if arguments.scaling {
        return scaling::run(&arguments, &mut contestants);
    }
    let corpora = read(&arguments.documents)?;
    let rows = measure::measure(
        &mut contestants,
        &corpora,
        arguments.rounds,
        arguments.clock,
        talk,
    );
    let report = Report {
        machine: Machine::new(arguments.date.as_deref()),
        clock: arguments.clock,
        rounds: arguments.rounds,
        corpora: &corpora,
        rows: &rows,
    };
    let markdown = report.markdown();
    print(&markdown)?;
    for (path, text) in [
        (&arguments.markdown, &markdown),
        (&arguments.json, &report.json()),
        (&arguments.svg, &plot::svg(&report)),
    ] {
        if let Some(path) = path {
            fs::write(path, text)
                .map_err(|error| format!("{}: cannot be written: {error}", path.display()))?;
        }
    }
    Ok(())
}

fn read(documents: &Documents) -> Result<Vec<Corpus>, String> {
    let (corpora, folder) = match documents {
        Documents::Corpora(root) => (Corpus::read_all(root), root),
        Documents::Folder(folder) => (
            Corpus::read("documents", folder).map(|one| vec![one]),
            folder,
        ),
    };
    let folder = folder.display();
    let mut corpora = corpora.map_err(|error| format!("{folder}: cannot be read: {error}"))?;
    corpora.retain(|corpus| !corpus.documents.is_empty());
    if corpora.is_empty() {
        return Err(format!(
            "{folder}: no HTML documents; name a folder of them with --documents"
        ));
    }
    Ok(corpora)
}

/// stdout is data.
fn print(text: &str) -> Result<(), String> {
    io::stdout()
        .write_all(text.as_bytes())
        .map_err(|error| format!("cannot write to standard output: {error}"))
}

/// stderr is talk.
fn talk(message: &str) {
    let _ = writeln!(io::stderr(), "{message}");
}
