//! The layers of the module tree: a module uses only what stands above it.

mod support;

use std::fs;
use std::path::Path;

/// Modules of the library by layer, from the bottom up. Modules of one layer do not know each other, except as `MAY`
/// says.
const LAYERS: &[&[&str]] = &[
    &["span", "offset_map", "encoding", "splice", "find"],
    &["reference", "grammar", "html", "container"],
    &["base", "link"],
    &["rewrite"],
    &["site", "check", "archive"],
];

/// Edges inside a layer that are meant.
const MAY: &[(&str, &str)] = &[
    ("splice", "span"),
    ("offset_map", "span"),
    ("encoding", "offset_map"),
];

fn layer(module: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&module))
}

/// The modules that the `use` declarations of `source` name with `crate::`.
fn used(source: &str) -> Vec<String> {
    let code = source
        .split("#[cfg(test)]\nmod tests {")
        .next()
        .unwrap_or_default();
    let mut modules = Vec::new();
    for line in code.split_inclusive(';') {
        // With a visibility or without.
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
fn no_module_uses_one_below_or_beside_it() {
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
        let own = layer(module).unwrap_or_else(|| panic!("{module} has no layer"));
        let source = fs::read_to_string(&file).expect("a readable file");
        for other in used(&source) {
            let other_layer =
                layer(&other).unwrap_or_else(|| panic!("{name} uses {other}, which has no layer"));
            let is_above = other_layer < own || other == module || MAY.contains(&(module, &other));
            assert!(
                is_above,
                "{name} (layer {own}) uses {other} (layer {other_layer})"
            );
            checked += 1;
        }
        // Only `html` knows html5ever, and the `cli` is for the binary.
        for (crate_name, owner) in [
            ("html5ever", "html"),
            ("markup5ever_rcdom", "html"),
            ("url_escape", "reference"),
            ("cssparser", "grammar"),
            ("flate2", "container"),
            ("sha1", "container"),
        ] {
            let uses = source.contains(&format!("use {crate_name}"));
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
