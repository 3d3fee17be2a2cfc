//! Findings of `absolve check`: in a document, and in a directory that is published as a site.

mod finding;
mod site;

pub(crate) use finding::{Finding, RuleSelection};
pub(crate) use site::{SiteReport, check_site};
