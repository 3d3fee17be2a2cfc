//! The files of a crate, and which of them use which.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::source::{Source, Visibility};

/// Number of re-exports after which a path counts as circular.
const MAX_REEXPORTS: usize = 20;

/// The files of a crate by module path (`rewrite/stream`; the root is empty), and the files that each one uses.
///
/// A file uses the file that defines an item, however many modules re-export it. A module that only declares and
/// re-exports others therefore uses nothing, and nothing uses it.
pub(crate) struct Graph {
    files: BTreeMap<String, Source>,
    pub(crate) edges: BTreeMap<String, BTreeSet<String>>,
}

impl Graph {
    /// Reads the crate with this root file.
    pub(crate) fn read(root: &Path) -> Self {
        let mut files = BTreeMap::new();
        let folder = root.parent().expect("a folder");
        let mut open = vec![(String::new(), root.to_owned())];
        while let Some((module, path)) = open.pop() {
            let text = fs::read_to_string(&path).expect("a readable file");
            let source = Source::parse(&text);
            for name in &source.modules {
                let child = child(&module, name);
                let path = file(folder, &child);
                open.push((child, path));
            }
            files.insert(module, source);
        }
        let mut graph = Self {
            files,
            edges: BTreeMap::new(),
        };
        for module in graph.files.keys() {
            let used = graph.used(module);
            graph.edges.insert(module.clone(), used);
        }
        graph
    }

    /// Returns the files that the file of `module` uses.
    fn used(&self, module: &str) -> BTreeSet<String> {
        let source = &self.files[module];
        let imports = source.imports.iter().filter(|import| {
            import.visibility == Visibility::Private || source.words.contains(&import.name)
        });
        let imported = imports.filter_map(|import| self.definition(module, &import.path));
        let named = source.paths.iter();
        let named = named.filter_map(|path| self.definition(module, path));
        let mut used: BTreeSet<String> = imported.chain(named).collect();
        used.remove(module);
        used
    }

    /// Returns the module that defines the item at `path`, as seen from `module`.
    ///
    /// Returns `None` for items of other crates and of types, and for a path that ends in a module.
    fn definition(&self, module: &str, path: &[String]) -> Option<String> {
        let mut path = path.to_vec();
        let mut module = module.to_owned();
        let mut is_relative = false;
        for _ in 0..MAX_REEXPORTS {
            let first = path.first()?.clone();
            match &*first {
                "crate" => module = String::new(),
                "super" => parent(&module.clone()).clone_into(&mut module),
                "self" => {}
                "*" => return Some(module),
                name => {
                    let source = &self.files[&module];
                    if source.modules.contains(&first) {
                        module = child(&module, name);
                    } else if let Some(import) = source
                        .imports
                        .iter()
                        .find(|import| import.name == name && import.path[0] != name)
                    {
                        path.splice(..1, import.path.iter().cloned());
                        is_relative = false;
                        continue;
                    } else {
                        // A path that begins with any other name is that of another crate or of a local type.
                        return is_relative.then_some(module);
                    }
                }
            }
            is_relative = true;
            path.remove(0);
        }
        panic!("{path:?} in {module:?} is re-exported too often");
    }

    /// Returns the files that import or name something of another crate.
    pub(crate) fn users_of(&self, crate_name: &str) -> Vec<&str> {
        let uses = |source: &Source| {
            let imported = source.imports.iter().map(|import| &import.path);
            imported
                .chain(&source.paths)
                .any(|path| path[0] == crate_name)
        };
        let files = self.files.iter();
        files
            .filter(|(_, source)| uses(source))
            .map(|(module, _)| &**module)
            .collect()
    }

    /// Returns the groups of files of which each uses each other, directly or indirectly.
    pub(crate) fn circles(&self) -> Vec<Vec<&str>> {
        let reachable: BTreeMap<&str, BTreeSet<&str>> = self
            .edges
            .keys()
            .map(|module| (&**module, self.reachable(module)))
            .collect();
        let mut circles: Vec<Vec<&str>> = Vec::new();
        for (module, from_module) in &reachable {
            let is_first = !circles.iter().flatten().any(|other| other == module);
            if is_first && from_module.contains(module) {
                let group = from_module.iter().copied();
                circles.push(
                    group
                        .filter(|other| reachable[other].contains(module))
                        .collect(),
                );
            }
        }
        circles
    }

    /// Returns the files that `module` uses, directly or indirectly.
    fn reachable(&self, module: &str) -> BTreeSet<&str> {
        let mut reachable = BTreeSet::new();
        let mut open = vec![module];
        while let Some(module) = open.pop() {
            for used in &self.edges[module] {
                if reachable.insert(&**used) {
                    open.push(used);
                }
            }
        }
        reachable
    }
}

fn child(module: &str, name: &str) -> String {
    match module {
        "" => name.to_owned(),
        module => format!("{module}/{name}"),
    }
}

fn parent(module: &str) -> &str {
    module.rsplit_once('/').map_or("", |(parent, _)| parent)
}

/// Returns the path of the file that contains `module`.
fn file(folder: &Path, module: &str) -> PathBuf {
    let path = folder.join(format!("{module}.rs"));
    if path.exists() {
        path
    } else {
        folder.join(module).join("mod.rs")
    }
}
