//! `absolve check --explain`: the documentation of the rules.

use std::io::Write;

use absolve::check::Rule;

use super::select;
use crate::exit::Abort;

/// Writes the documentation of the rule `name`, or without a name the list of rules.
pub(super) fn write(name: Option<&str>, to: &mut impl Write) -> Result<(), Abort> {
    if let Some(name) = name {
        let rule = select::rule("--explain", name)?;
        to.write_all(rule.documentation().as_bytes())?;
        return Ok(());
    }
    let longest = Rule::ALL.iter().map(|rule| rule.name().len()).max();
    let width = longest.unwrap_or(0);
    for rule in Rule::ALL {
        writeln!(to, "{:width$}  {}", rule.name(), rule.summary())?;
    }
    Ok(())
}
