//! The texts of links, compared with the `textContent` of the elements in Chromium.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use absolve::{Document, ElementTexts, Rewriter};
use support::world::World;

/// The number of pages.
const PAGES: usize = 100;

/// The greatest length of a page.
const MAX_LEN: usize = 400_000;

/// A page that lists the addresses and texts of the A elements of `pages`, in ASCII without markup.
const SCRIPT: &str = r"
const texts = pages.map(page => {
  const tree = new DOMParser().parseFromString(page, 'text/html');
  return [...tree.querySelectorAll('a[href]')].map(a => {
    const shown = a.cloneNode(true);
    shown.querySelectorAll('iframe,noembed,noframes,noscript,script,style,template').forEach(hidden => hidden.remove());
    return [a.getAttribute('href'), shown.textContent];
  });
});
const escape = character => '\\u' + character.charCodeAt(0).toString(16).padStart(4, '0');
document.querySelector('pre').textContent = JSON.stringify(texts).replace(/[^ -~]|[&<>]/g, escape);
";

/// Pages with links whose text differs: the number of those that only Chromium has, and of those that only we have, with
/// the reason.
const DIFFERENT: &[(&str, usize, usize, &str)] = &[
    ("formasaurus/532.html", 1, 1, NESTED),
    ("formasaurus/537.html", 1, 1, NESTED),
    ("formasaurus/685.html", 1, 0, COPIED),
    (
        "frames/xfig-doc_xfig_html_frm_drawing.html",
        0,
        1,
        NO_FRAMES,
    ),
    (
        "frames/xfig-doc_xfig_html_frm_main_menus.html",
        0,
        1,
        NO_FRAMES,
    ),
    (
        "frames/xfig-doc_xfig_html_frm_panning.html",
        0,
        1,
        NO_FRAMES,
    ),
    (
        "frames/xfig-doc_xfig_html_japanese_frm_faq.html",
        0,
        1,
        NO_FRAMES,
    ),
    (
        "frames/xfig-doc_xfig_html_japanese_frm_introduction.html",
        0,
        1,
        NO_FRAMES,
    ),
    (
        "trafilatura/0af99c85f22b451a93a75bbf99ac412e.html",
        3,
        0,
        COPIED,
    ),
];

const NESTED: &str =
    "an A element in the cell of a table that is in another one: our text ends at the second";
const COPIED: &str =
    "a tree builder opens an A element that is not closed again in the next block: no tag is there";
const NO_FRAMES: &str =
    "the content of NOFRAMES is text for a browser, and markup for those without frames";

/// Returns the links of `page` with their texts.
fn own_texts(page: &str) -> Vec<(String, String)> {
    let rewriter = Rewriter::new();
    let document = Document::new(page.as_bytes()).encoding("utf-8");
    let texts = ElementTexts::of(&rewriter, &document);
    let report = rewriter.links(&document);
    let links = report.links.iter().enumerate();
    let links =
        links.filter(|(_, found)| found.link.element == "a" && found.link.attribute == "href");
    let text = |index| texts.of_link(index)?.text.clone();
    links
        .map(|(index, found)| {
            let reference = found.link.reference.clone().into_owned();
            (reference, text(index).unwrap_or_default())
        })
        .collect()
}

/// Counts links without their white space, of which we write one space where an element begins a line or a cell. A text
/// that is cut has the same beginning.
fn counted(links: Vec<(String, String)>) -> BTreeMap<(String, String), isize> {
    let mut counts = BTreeMap::new();
    let squeezed = |text: &str, most| {
        let letters = text.chars().filter(|letter| !letter.is_ascii_whitespace());
        letters.take(most).collect::<String>()
    };
    for (reference, text) in links {
        let link = (squeezed(&reference, usize::MAX), squeezed(&text, 1_000));
        *counts.entry(link).or_default() += 1;
    }
    counts
}

#[test]
fn texts_of_links_are_those_in_chromium() {
    let Some(corpora) = support::corpora("pages") else {
        return;
    };
    let files = support::files(&corpora, &["html", "htm"]);
    let pages = files.iter().filter_map(|file| {
        let page = String::from_utf8(fs::read(file).ok()?).ok()?;
        let name = file.strip_prefix(&corpora).ok()?.to_str()?.to_owned();
        (page.len() <= MAX_LEN && page.contains("<a")).then_some((name, page))
    });
    let pages: Vec<(String, String)> = pages.collect();
    let step = (pages.len() / PAGES).max(1);
    let pages: Vec<(String, String)> = pages.into_iter().step_by(step).take(PAGES).collect();
    let list: Vec<&str> = pages
        .iter()
        .map(|(_, page)| page.trim_start_matches('\u{feff}'))
        .collect();
    let list = serde_json::to_string(&list)
        .expect("JSON")
        .replace('<', "\\u003c");
    let page = format!(
        "<!DOCTYPE html><meta charset=utf-8><pre></pre><script>const pages = {list};{SCRIPT}</script>"
    );
    let world = World::new(&[("pages.html", &page)]);
    let output = Command::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"])
        .arg(format!(
            "--user-data-dir={}",
            world.path("chromium").display()
        ))
        .arg(world.path("pages.html"))
        .output();
    let Ok(output) = output else {
        support::missing("no chromium to read pages with");
        return;
    };
    let dom = String::from_utf8_lossy(&output.stdout);
    let texts = dom
        .split_once("<pre>")
        .and_then(|(_, rest)| rest.split_once("</pre>"));
    let texts = texts.unwrap_or_else(|| panic!("{output:?}")).0;
    let texts: Vec<Vec<(String, String)>> = serde_json::from_str(texts).expect("JSON");
    assert_eq!(texts.len(), pages.len());
    let mut differences = Vec::new();
    let mut links = 0;
    for ((name, page), theirs) in pages.iter().zip(texts) {
        links += theirs.len();
        let mut counts = counted(own_texts(page));
        for (link, count) in counted(theirs) {
            *counts.entry(link).or_default() -= count;
        }
        counts.retain(|_, count| *count != 0);
        let sum = |sign: isize| {
            counts
                .values()
                .map(|count| (count * sign).max(0))
                .sum::<isize>()
        };
        if !counts.is_empty() {
            differences.push((
                name.as_str(),
                sum(-1).unsigned_abs(),
                sum(1).unsigned_abs(),
                counts,
            ));
        }
    }
    let found: Vec<_> = differences
        .iter()
        .map(|(name, theirs, ours, _)| (*name, *theirs, *ours))
        .collect();
    let known: Vec<_> = DIFFERENT
        .iter()
        .map(|(name, theirs, ours, _)| (*name, *theirs, *ours))
        .collect();
    assert_eq!(found, known, "of {links} links: {differences:#?}");
}
