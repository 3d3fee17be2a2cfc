//! Documents whose scripts load others from absolute paths, which no rewriting of links can move.

use memchr::memmem;

use crate::print::terminal;

/// A generator of sites, with the option of its build that determines the path of the scripts.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Generator {
    name: &'static str,
    /// Texts, one of which is in each document with such scripts, and in few others.
    markers: &'static [&'static [u8]],
    option: &'static str,
}

const GENERATORS: [Generator; 3] = [
    Generator {
        name: "Docusaurus",
        markers: &[b"__docusaurus"],
        option: "baseUrl",
    },
    Generator {
        name: "Next.js",
        markers: &[b"__NEXT_DATA__", b"self.__next_f"],
        option: "basePath",
    },
    Generator {
        name: "VitePress",
        markers: &[b"__VP_HASH_MAP__"],
        option: "base",
    },
];

/// Returns the generator of the scripts in `document`, if they load others from absolute paths.
///
/// # Complexity
/// Linear.
pub(crate) fn generator_of(document: &[u8]) -> Option<&'static Generator> {
    let mut generators = GENERATORS.iter();
    generators.find(|generator| {
        let mut markers = generator.markers.iter();
        markers.any(|marker| memmem::find(document, marker).is_some())
    })
}

/// Returns the warning about `count` documents with scripts of a generator.
pub(crate) fn warning(generator: &Generator, count: u64) -> String {
    let Generator { name, option, .. } = generator;
    let documents = terminal::several(count, "document");
    format!(
        "{documents} with scripts of {name}, which load others from the path the site was built for; \
         to move the site, build it with another {option}"
    )
}
