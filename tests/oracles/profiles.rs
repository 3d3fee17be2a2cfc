//! The profiles on the tables of other libraries, on the Web Platform Tests, and on the links of real pages.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use absolve::resolution::RelativeForm;
use absolve::{Document, Profile, Resolver, resolve};

const PROFILES: [Profile; 3] = [Profile::Rfc1808, Profile::Rfc3986, Profile::Whatwg];

/// Every row of other libraries' test tables that claims to follow RFC 3986, except for listed deviations.
#[test]
fn rfc_3986_agrees_with_tables_of_other_libraries() {
    let Some(folder) = support::corpora("rfc") else {
        return;
    };
    let deviations = fs::read_to_string(support::root().join("fixtures/rfc3986/deviations.tsv"))
        .expect("the deviations");
    let mut deviations: BTreeMap<(&str, &str), &str> = deviations
        .lines()
        .skip(1)
        .map(|line| line.split('\t').collect::<Vec<_>>())
        .map(|row| ((row[0], row[1]), row[3]))
        .collect();
    let unescape = |cell: &str| -> String {
        let json = format!("\"{}\"", cell.replace('"', "\\\""));
        serde_json::from_str(&json).unwrap_or_else(|_| cell.to_owned())
    };
    let (mut agreeing, mut deviating, mut wrong) = (0, 0, Vec::new());
    for file in support::files(&folder, &["tsv"]) {
        let table = fs::read_to_string(&file).expect("the table");
        for line in table.lines().skip(1) {
            let row: Vec<_> = line.split('\t').collect();
            if row[3] != "rfc3986" || row[4] != "resolve" {
                continue;
            }
            let (base, reference, expected) =
                (unescape(row[0]), unescape(row[1]), unescape(row[2]));
            let found = resolve(&base, &reference, Profile::Rfc3986);
            let found = found.map_or_else(|error| error.to_string(), std::borrow::Cow::into_owned);
            if found == expected {
                agreeing += 1;
            } else if deviations.get(&(row[0], row[1])) == Some(&&*found) {
                deviating += 1;
            } else {
                wrong.push(format!(
                    "{}\t{}\t{expected}\t{found}\t{} strict={}",
                    row[0],
                    row[1],
                    file.file_stem()
                        .map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
                    row[5]
                ));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} rows differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    deviations.clear();
    support::print_line(&format!(
        "rows that claim RFC 3986: {agreeing} as claimed, {deviating} listed with the passage that says why not"
    ));
}

/// Returns the objects of a file of the URL Standard's tests.
fn url_tests(file: &Path) -> Vec<serde_json::Value> {
    let tests = fs::read_to_string(file).expect("the tests");
    let tests: Vec<serde_json::Value> =
        serde_json::from_str(&without_lone_surrogates(&tests)).expect("JSON");
    tests
        .into_iter()
        .filter(serde_json::Value::is_object)
        .collect()
}

/// The Web Platform Tests for URLs, and two further sets of cases in the same form.
#[test]
fn whatwg_passes_web_platform_tests() {
    let Some(folder) = support::corpora("whatwg") else {
        return;
    };
    let (mut targets, mut failures, mut wrong) = (0, 0, Vec::new());
    for name in [
        "urltestdata.json",
        "urltestdata-javascript-only.json",
        "ada_extra_urltestdata.json",
        "ada_long_urltestdata.json",
    ] {
        for test in url_tests(&folder.join(name)) {
            let input = test["input"].as_str().expect("an input");
            let expected = test["href"].as_str();
            // Without a base URL, an input is a URL. Another one with an opaque path completes only a fragment.
            let base = test["base"].as_str();
            if base.is_none() {
                let is_url = Resolver::new(input, Profile::Whatwg).is_ok();
                assert_eq!(is_url, expected.is_some(), "{input:?}");
                if !is_url {
                    failures += 1;
                    continue;
                }
            }
            let found = Resolver::new(base.unwrap_or("about:blank"), Profile::Whatwg).and_then(
                |resolver| {
                    Ok((
                        resolver.resolve(input)?.into_owned(),
                        resolver.explain(input)?.target,
                    ))
                },
            );
            match (expected, found) {
                (None, Err(_)) => failures += 1,
                (Some(expected), Ok((target, explained)))
                    if target == expected && explained == expected =>
                {
                    targets += 1;
                }
                (expected, found) => wrong.push(format!(
                    "{input:?} against {base:?}: {found:?}, expected {expected:?}"
                )),
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} rows differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(
        targets > 500 && failures > 200,
        "{targets} targets, {failures} failures"
    );
    support::print_line(&format!(
        "Web Platform Tests for URLs: {targets} targets and {failures} failures as expected"
    ));
}

/// Hosts of the Web Platform Tests and of Unicode's tables: "domain to ASCII".
#[test]
fn whatwg_converts_domains_to_ascii() {
    let Some(folder) = support::corpora("whatwg") else {
        return;
    };
    let (mut domains, mut failures, mut wrong) = (0, 0, Vec::new());
    for name in ["toascii.json", "IdnaTestV2.json"] {
        for test in url_tests(&folder.join(name)) {
            let input = test["input"].as_str().expect("an input");
            // Unicode 18 assigns U+3D000 to U+3FC3F; the table is older. Without a host, the URL has another one.
            let is_newer = |character| matches!(character, '\u{3d000}'..='\u{3fc3f}');
            if input.is_empty() || input.contains(is_newer) {
                continue;
            }
            let expected = test["output"]
                .as_str()
                .map(|host| format!("https://{host}/x"));
            let found = Resolver::new(&format!("https://{input}/x"), Profile::Whatwg)
                .and_then(|resolver| Ok(resolver.resolve("x")?.into_owned()))
                .ok();
            match (&expected, &found) {
                _ if found.as_deref() != expected.as_deref() => {
                    wrong.push(format!("{input:?}: {found:?}, expected {expected:?}"));
                }
                (Some(_), _) => domains += 1,
                (None, _) => failures += 1,
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} rows differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    support::print_line(&format!(
        "domains: {domains} converted and {failures} failures as expected"
    ));
}

/// Replaces lone surrogates in JSON, which are not valid text, by U+FFFD, as browsers do.
fn without_lone_surrogates(json: &str) -> String {
    let unit = |text: &str| {
        let digits = text.strip_prefix("\\u")?.get(..4)?;
        u16::from_str_radix(digits, 16).ok()
    };
    let mut result = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(pos) = rest.find('\\') {
        result.push_str(&rest[..pos]);
        rest = &rest[pos..];
        let length = match (unit(rest), rest.get(6..).and_then(unit)) {
            (Some(0xd800..0xdc00), Some(0xdc00..0xe000)) => 12,
            (Some(0xd800..0xe000), _) => {
                result.push_str("\\ufffd");
                rest = &rest[6..];
                continue;
            }
            (Some(_), _) => 6,
            (None, _) => 2,
        };
        result.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    result + rest
}

/// Round trip of every link of every page of the corpora.
#[test]
fn relative_round_trips_on_real_pages() {
    let Some(folder) = support::corpora("pages") else {
        return;
    };
    let mut links = 0;
    for file in support::files(&folder, &["html"]) {
        let page = fs::read(&file).expect("a page");
        for profile in PROFILES {
            let document =
                Document::new(&page).retrieved_from("http://www.example.org/dir/page.html?q");
            let report = support::recording().profile(profile).links(&document);
            let Some(base) = &report.base.base else {
                continue;
            };
            let resolver = Resolver::new(&base.url, profile).expect("an established base");
            for link_report in &report.links {
                let Ok(target) = resolver.resolve(&link_report.link.reference) else {
                    continue;
                };
                for form in [RelativeForm::Path, RelativeForm::Root] {
                    let back = resolver.relative(&target, form);
                    let again = resolver.resolve(&back);
                    if absolve::resolution::is_absolute(&link_report.link.reference, profile)
                        && back == target
                    {
                        // Absolute references to other sites remain absolute.
                        continue;
                    }
                    assert_eq!(
                        again.as_deref(),
                        Ok(&*target),
                        "{profile:?} {} {back:?}",
                        base.url
                    );
                    links += 1;
                }
            }
        }
    }
    support::print_line(&format!(
        "round trip: {links} relative references of pages lead back"
    ));
}
