//! The layers of the module tree: a module only uses modules of lower layers.

mod support;

use std::fs;
use std::path::Path;

/// Modules of the library by layer, from the bottom up. Modules of one layer do not use each other, except for
/// [`ALLOWED`].
const LAYERS: &[&[&str]] = &[
    &[
        "span",
        "offset_map",
        "encoding",
        "splice",
        "find",
        "names",
        "scheme",
    ],
    &["reference", "grammar", "html", "container"],
    &["base", "link"],
    &["document"],
    &["rewrite"],
    &["site", "check", "archive"],
];

/// Permitted edges within a layer.
const ALLOWED: &[(&str, &str)] = &[
    ("splice", "span"),
    ("offset_map", "span"),
    ("encoding", "offset_map"),
];

fn layer(module: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&module))
}

/// Returns the modules that `source` imports with `use crate::`.
fn used(source: &str) -> Vec<String> {
    let code = source
        .split("#[cfg(test)]\nmod tests {")
        .next()
        .unwrap_or_default();
    let mut modules = Vec::new();
    for line in code.split_inclusive(';') {
        // From the right, to skip a visibility and everything else before the declaration.
        let Some((_, declaration)) = line.rsplit_once("use ") else {
            continue;
        };
        let declaration = declaration.split(';').next().unwrap_or_default();
        let Some(path) = declaration.strip_prefix("crate::") else {
            continue;
        };
        let names = path.strip_prefix('{').unwrap_or(path);
        let several = names.len() != path.len();
        for name in names.split(',').take(if several { usize::MAX } else { 1 }) {
            let name: String = name
                .trim()
                .chars()
                .take_while(|&c| c.is_ascii_alphanumeric() || c == '_')
                .collect();
            modules.push(name);
        }
    }
    modules
}

#[test]
fn layers_have_no_upward_or_sideways_edges() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut checked = 0;
    for file in support::files(&src, &["rs"]) {
        let name = file
            .strip_prefix(&src)
            .expect("below src")
            .to_string_lossy()
            .replace(".rs", "");
        let module = name.split('/').next().unwrap_or_default();
        if matches!(module, "lib" | "main" | "cli") {
            continue;
        }
        let module_layer = layer(module).unwrap_or_else(|| panic!("{module} has no layer"));
        let source = fs::read_to_string(&file).expect("a readable file");
        for used_module in used(&source) {
            let used_layer = layer(&used_module)
                .unwrap_or_else(|| panic!("{name} uses {used_module}, which has no layer"));
            let is_allowed = used_layer < module_layer
                || used_module == module
                || ALLOWED.contains(&(module, &used_module));
            assert!(
                is_allowed,
                "{name} (layer {module_layer}) uses {used_module} (layer {used_layer})"
            );
            checked += 1;
        }
        // Each of these crates has a single module that uses it.
        for (crate_name, owner) in [
            ("html5ever", "html"),
            ("markup5ever_rcdom", "html"),
            ("cssparser", "grammar"),
            ("flate2", "container"),
            ("sha1", "container"),
            ("md5", "site"),
        ] {
            // Comments may mention the crate.
            let uses = source.lines().any(|line| {
                let line = line.trim_start().trim_start_matches("pub ");
                line.starts_with(&format!("use {crate_name}"))
            });
            assert!(
                !uses || module == owner,
                "{name} uses {crate_name}, which is {owner}'s"
            );
        }
    }
    assert!(
        checked > 10,
        "only {checked} edges were found: does the reading of `use` still work?"
    );
}
