//! `absolve completions` and `absolve man`: shell completions and manual pages, generated from the arguments.

use std::io::{self, Write};

use clap::CommandFactory;
use clap_mangen::Man;

use super::args::{CommandLine, CompletionsArgs, ManArgs};
use super::exit::{Abort, Exit};
use super::terminal;

pub(super) fn completions(args: &CompletionsArgs) -> Result<Exit, Abort> {
    let mut command = CommandLine::command();
    let name = command.get_name().to_owned();
    // Into memory first: clap_complete panics if standard output is closed early.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, name, &mut script);
    print(&script)
}

pub(super) fn man(args: &ManArgs) -> Result<Exit, Abort> {
    let mut command = CommandLine::command();
    command.build();
    let command = match &args.command {
        None => &command,
        Some(name) => command.find_subcommand(name).ok_or_else(|| {
            let name = terminal::quoted(name);
            Abort::Usage(format!(
                "unknown command {name}\n  hint: `absolve --help` lists the commands"
            ))
        })?,
    };
    let mut page = Vec::new();
    Man::new(command.clone()).render(&mut page)?;
    print(&page)
}

fn print(text: &[u8]) -> Result<Exit, Abort> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text)?;
    stdout.flush()?;
    Ok(Exit::Done)
}
