//! The structure of the sources: a module of the library only uses modules of lower layers, and no files of a crate use
//! each other in a circle. Cargo holds the crates apart.

mod graph;
mod source;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

use graph::Graph;

/// Modules of the library by layer, from the bottom up. Modules of one layer do not use each other, except for
/// [`ALLOWED`].
const LAYERS: &[&[&str]] = &[
    &[
        "span",
        "offset_map",
        "text_offsets",
        "encoding",
        "splice",
        "find",
        "names",
        "ordered",
        "scheme",
        "base_header",
        "saved_page",
        "limits",
        "unsupported",
    ],
    &["reference", "replay", "grammar", "markup"],
    &["html", "xml", "json_feed"],
    &["base", "link"],
    &["document"],
    &["settings"],
    &["record"],
    &["rewrite"],
    &["stream"],
    &["check"],
    &["entries"],
];

/// Permitted edges within a layer.
const ALLOWED: &[(&str, &str)] = &[
    ("splice", "span"),
    ("offset_map", "span"),
    ("text_offsets", "span"),
    ("encoding", "offset_map"),
    ("encoding", "unsupported"),
    ("limits", "names"),
    ("unsupported", "limits"),
];

/// Crates that a single module uses.
const OWNERS: &[(&str, &str)] = &[
    ("html5ever", "html"),
    ("markup5ever_rcdom", "html"),
    ("idna", "reference"),
    ("url_escape", "reference"),
];

/// The root files of the crates that have no circles.
const ROOTS: [&str; 6] = [
    "src/lib.rs",
    "crates/archive/src/lib.rs",
    "crates/cli/src/lib.rs",
    "crates/site/src/lib.rs",
    "python/src/lib.rs",
    "web/src/lib.rs",
];

/// Circles that are permitted: a folder, the number of its files that use each other, and the reason.
const CIRCLES: &[(&str, usize, &str)] = &[];

fn src() -> PathBuf {
    support::root().join("src")
}

fn layer(module: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&module))
}

/// Returns the folder of a module below `src`, or the module itself.
fn folder(module: &str) -> &str {
    module.split('/').next().unwrap_or_default()
}

#[test]
fn layers_have_no_upward_or_sideways_edges() {
    let graph = Graph::read(&src().join("lib.rs"));
    let mut checked = 0;
    for (file, used_files) in &graph.edges {
        if file.is_empty() {
            continue;
        }
        let module = folder(file);
        let module_layer = layer(module).unwrap_or_else(|| panic!("{module} has no layer"));
        for used_file in used_files {
            let used = folder(used_file);
            let used_layer = layer(used)
                .unwrap_or_else(|| panic!("{file} uses {used_file}, which has no layer"));
            let is_allowed =
                used_layer < module_layer || used == module || ALLOWED.contains(&(module, used));
            assert!(
                is_allowed,
                "{file} (layer {module_layer}) uses {used_file} (layer {used_layer})"
            );
            checked += 1;
        }
    }
    assert!(
        checked > 100,
        "only {checked} edges were found: does the reading of `use` still work?"
    );
}

#[test]
fn a_crate_is_used_by_its_owner_only() {
    let graph = Graph::read(&src().join("lib.rs"));
    for (crate_name, owner) in OWNERS {
        let users = graph.users_of(crate_name);
        assert!(!users.is_empty(), "no file uses {crate_name}");
        // The root re-exports some.
        for user in users.into_iter().filter(|user| !user.is_empty()) {
            assert_eq!(folder(user), *owner, "{user} uses {crate_name}");
        }
    }
}

/// Describes a circle: its files, each with those that it uses.
fn describe(graph: &Graph, circle: &[&str]) -> String {
    let mut text = format!("{} files:\n", circle.len());
    for file in circle {
        let used = graph.edges[*file].iter();
        let used: Vec<&str> = used
            .map(|used| &**used)
            .filter(|used| circle.contains(used))
            .collect();
        let _ = writeln!(text, "  {file} uses {}", used.join(", "));
    }
    text
}

#[test]
fn no_files_use_each_other_in_a_circle() {
    let mut counts = BTreeMap::new();
    let mut text = String::new();
    for root in ROOTS {
        let graph = Graph::read(&support::root().join(root));
        for circle in graph.circles() {
            text.push_str(&describe(&graph, &circle));
            for file in circle {
                *counts.entry(folder(file).to_owned()).or_insert(0) += 1;
            }
        }
    }
    for (folder, count) in counts {
        let allowed = CIRCLES.iter().find(|(name, _, _)| *name == folder);
        let allowed = allowed.map_or(0, |(_, count, _)| *count);
        assert!(
            count <= allowed,
            "{count} files of {folder} use each other in circles, {allowed} may:\n{text}"
        );
    }
}
