//! The files of the directory that is checked, for the rules about targets.

use std::convert::Infallible;
use std::path::PathBuf;

use absolve_site::files::site_path_bytes;
use absolve_site::run::{EmitPart, for_each_ordered};
use absolve_site::{FragmentSet, SiteTargets};

use crate::inputs::Inputs;
use crate::inputs::input::Input;
use crate::inputs::kind::InputKind;
use crate::print::printer::Printer;
use crate::run::interrupt;
use crate::settings::Settings;

/// Returns the files of the directory and the fragments of its documents, each of which is read; `None` if the inputs
/// are not one directory, or its URL is unknown.
///
/// Files that cannot be read are skipped here, and reported when they are checked.
pub(super) fn site_targets(
    settings: &Settings<'_>,
    inputs: &Inputs,
    threads: usize,
    printer: &Printer<'_>,
) -> Option<SiteTargets> {
    let site = settings
        .site()
        .filter(|_| inputs.roots.len() == 1 && !inputs.has_prefix)?;
    let left_out = inputs.left_out.iter().map(PathBuf::as_path);
    let paths = inputs.site_paths().chain(left_out);
    let mut targets = SiteTargets::new(site.url(), paths.map(site_path_bytes));
    targets.add_rules_of(&inputs.assets);
    printer.begin_phase("1/2 reading: ");
    let work = |input: &Input, _: &mut EmitPart<'_, Option<(Vec<u8>, FragmentSet)>>| {
        let path = site_path_bytes(input.site_path()?);
        let Some(InputKind::Document(kind)) = settings.kind_before_reading(input) else {
            return None;
        };
        let loaded = input.read_file().ok()?;
        let url = settings.url_from_args(input);
        let document = settings.document(kind, &loaded, url.as_deref());
        Some((path, SiteTargets::fragments_of(&document)))
    };
    let deliver = |found: Option<(Vec<u8>, FragmentSet)>, _| {
        printer.advance();
        if let Some((path, fragments)) = found {
            targets.add_fragments(path, fragments);
        }
        Ok::<_, Infallible>(())
    };
    let Ok(()) = for_each_ordered(
        inputs.documents.iter(),
        |_| 0,
        threads,
        interrupt::flag(),
        work,
        deliver,
    );
    printer.begin_phase("2/2 checking: ");
    Some(targets)
}
