//! The files of the directory that is checked, for the rules about targets.

use std::convert::Infallible;
use std::path::PathBuf;

use absolve_site::SiteTargets;
use absolve_site::files::site_path_bytes;
use absolve_site::run::CheckRun;

use crate::inputs::Inputs;
use crate::inputs::input::Input;
use crate::inputs::kind::InputKind;
use crate::print::printer::Printer;
use crate::run::interrupt;
use crate::settings::Settings;

/// Reads the files of the directory, if the inputs are one directory whose URL is known.
pub(super) fn read_site(
    (check_run, threads): (&mut CheckRun, usize),
    settings: &Settings<'_>,
    inputs: &Inputs,
    clean_urls: bool,
    printer: &Printer<'_>,
) {
    let is_directory = inputs.roots.len() == 1 && !inputs.has_prefix;
    let Some(site) = settings.site().filter(|_| is_directory) else {
        return;
    };
    let left_out = inputs.left_out.iter().map(PathBuf::as_path);
    let paths = inputs.site_paths().chain(left_out);
    let targets = SiteTargets::new(site.url(), paths.map(site_path_bytes)).clean_urls(clean_urls);
    let targets = targets.with_rules_of(&inputs.assets);
    let fragments = |input: &Input| {
        let path = site_path_bytes(input.site_path()?);
        let Some(InputKind::Document(kind)) = settings.kind_before_reading(input) else {
            return None;
        };
        let loaded = input.read_file().ok()?;
        let url = settings.url_from_args(input);
        let document = settings.document(kind, &loaded, url.as_deref());
        Some((path, SiteTargets::fragments_of(&document)))
    };
    let progress = || {
        printer.advance();
        Ok::<_, Infallible>(())
    };
    printer.begin_phase("1/2 reading: ");
    let threads = (threads, interrupt::flag());
    let Ok(()) = check_run.read_site(
        targets,
        inputs.documents.iter(),
        threads,
        fragments,
        progress,
    );
    printer.begin_phase("2/2 checking: ");
}
