//! Measures the speed of absolve and other tools at making the links of documents absolute, in one process and thread.
//!
//! `benches/README.md` describes the contestants, the options and the output.

mod arguments;
mod attributes;
mod clock;
mod contestant;
mod corpus;
mod html5ever_walk;
mod lol;
mod machine;
mod measure;
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
            print_progress(&message);
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let arguments = Arguments::parse()?;
    let mut contestants = Contestant::all();
    contestants.retain(|one| arguments.is_wanted(one.name));
    if contestants.is_empty() {
        return Err(
            "--only: no contestant has a name that contains this; omit it to measure all"
                .to_owned(),
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
        print_progress,
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
    if let Some(path) = &arguments.markdown {
        fs::write(path, &markdown)
            .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    if let Some(path) = &arguments.figures {
        figures::append(path, &report.figures())?;
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
    let mut corpora = corpora.map_err(|error| format!("cannot read {folder}: {error}"))?;
    corpora.retain(|corpus| !corpus.documents.is_empty());
    if corpora.is_empty() {
        return Err(format!(
            "no HTML documents in {folder}; specify a folder of them with --documents"
        ));
    }
    Ok(corpora)
}

/// Writes to standard output, which is for results.
fn print(text: &str) -> Result<(), String> {
    io::stdout()
        .write_all(text.as_bytes())
        .map_err(|error| format!("cannot write to standard output: {error}"))
}

/// Writes a line to standard error, which is for progress and errors.
fn print_progress(message: &str) {
    let _ = writeln!(io::stderr(), "{message}");
}
