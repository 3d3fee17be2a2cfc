//! `absolve completions`, `absolve man` and `absolve schema`: shell completions, manual pages, and the JSON Schema of
//! the configuration file, generated from the arguments.

use std::io::{self, Write};

use clap::CommandFactory;
use clap_mangen::Man;

use crate::args::{CommandLine, CompletionsArgs, EXIT_STATUS, ManArgs};
use crate::config;
use crate::exit::{Abort, Exit};
use crate::print::terminal;

pub(crate) fn completions(args: &CompletionsArgs) -> Result<Exit, Abort> {
    let mut command = CommandLine::command();
    let name = command.get_name().to_owned();
    // Into memory first: clap_complete panics if standard output is closed early.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, name, &mut script);
    print(&script)
}

pub(crate) fn schema() -> Result<Exit, Abort> {
    let schema = config::schema(&CommandLine::command());
    print(format!("{schema:#}\n").as_bytes())
}

pub(crate) fn man(args: &ManArgs) -> Result<Exit, Abort> {
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
    write_page(command, &mut page)?;
    print(&page)
}

/// Writes the manual page of a command. Its examples and exit statuses are sections, and all texts are the long ones.
fn write_page(command: &clap::Command, page: &mut Vec<u8>) -> io::Result<()> {
    let page_name = command.get_display_name().unwrap_or(command.get_name());
    let man = Man::new(command.clone()).title(page_name);
    man.render_title(page)?;
    man.render_name_section(page)?;
    man.render_synopsis_section(page)?;
    man.render_description_section(page)?;
    man.render_options_section(page)?;
    if command.has_subcommands() {
        man.render_subcommands_section(page)?;
    }
    let after = command.get_after_long_help().or(command.get_after_help());
    let after = after.map(ToString::to_string).unwrap_or_default();
    // The exit statuses are the same for every command.
    let after = format!("{after}\n\n{EXIT_STATUS}");
    let mut headings = Vec::new();
    for paragraph in after.split("\n\n") {
        if let Some((heading, text)) = paragraph.split_once(":\n")
            && !headings.contains(&heading)
        {
            headings.push(heading);
            writeln!(page, ".SH \"{}\"\n.nf", heading.to_uppercase())?;
            for line in text.lines() {
                writeln!(page, "{}", roff_line(line))?;
            }
            writeln!(page, ".fi")?;
        }
    }
    let root = CommandLine::command();
    let names = std::iter::once("absolve".to_owned());
    let others = root
        .get_subcommands()
        .map(|other| format!("absolve\\-{}", other.get_name()));
    let others = names
        .chain(others)
        .filter(|other| other.replace('\\', "") != page_name);
    let others: Vec<String> = others.map(|other| format!("\\fB{other}\\fR(1)")).collect();
    writeln!(page, ".SH \"SEE ALSO\"\n.nh\n{}", others.join(",\n"))
}

/// Returns a line of text for a manual page, in which nothing is a request or an escape sequence.
fn roff_line(line: &str) -> String {
    let line = line.replace('\\', "\\\\").replace('-', "\\-");
    let protection = if line.starts_with(['.', '\'']) {
        "\\&"
    } else {
        ""
    };
    format!("{protection}{line}")
}

/// Prints a text on standard output.
pub(crate) fn print(text: &[u8]) -> Result<Exit, Abort> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text)?;
    stdout.flush()?;
    Ok(Exit::Done)
}
