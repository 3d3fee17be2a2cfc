//! The profiles RFC 3986 and URL Standard compared with RFC 1808, and relative references to a target.

use absolve::resolution::RelativeForm;
use absolve::{
    AbsoluteReferences, BaseCandidates, BaseSource, Document, Escape, Outcome, OutputForm, Profile,
    Resolver, Rewriter, resolve,
};
use support::url_crate::is_known_to_differ;
use url::Url;

const PROFILES: [Profile; 3] = [Profile::Rfc1808, Profile::Rfc3986, Profile::Whatwg];

#[test]
fn rfc_3986_resolves_every_example() {
    let rows = support::table("fixtures/rfc3986/examples.tsv");
    let count = |section: &str| rows.iter().filter(|row| row[0] == section).count();
    assert_eq!((count("5.4.1"), count("5.4.2")), (23, 19));
    for row in &rows {
        let [_, base, reference, target] = &row[..] else {
            panic!("{row:?}")
        };
        let found = resolve(base, reference, Profile::Rfc3986);
        assert_eq!(found.as_deref(), Ok(&**target), "{base} + {reference:?}");
    }
}

#[test]
fn profiles_differ_as_documented() {
    let base = "http://a/b/c/d;p?q#f";
    for (reference, rfc1808, rfc3986, whatwg) in [
        (
            ";x",
            "http://a/b/c/d;x",
            "http://a/b/c/;x",
            "http://a/b/c/;x",
        ),
        ("../../../g", "http://a/../g", "http://a/g", "http://a/g"),
        ("/../g", "http://a/../g", "http://a/g", "http://a/g"),
        ("/./g", "http://a/./g", "http://a/g", "http://a/g"),
        (
            "g;x=1/../y",
            "http://a/b/c/g;x=1/../y",
            "http://a/b/c/y",
            "http://a/b/c/y",
        ),
        (
            "",
            "http://a/b/c/d;p?q#f",
            "http://a/b/c/d;p?q",
            "http://a/b/c/d;p?q",
        ),
        ("//g", "http://g", "http://g", "http://g/"),
        ("http:g", "http:g", "http:g", "http://a/b/c/g"),
        ("///g", "http://a/g", "http:///g", "http://g/"),
        (
            "%2e%2e/g",
            "http://a/b/c/%2e%2e/g",
            "http://a/b/c/%2e%2e/g",
            "http://a/b/g",
        ),
        ("1:2", "1:2", "http://a/b/c/1:2", "http://a/b/c/1:2"),
        (
            "http://h/a/../b",
            "http://h/a/../b",
            "http://h/b",
            "http://h/b",
        ),
    ] {
        for (profile, expected) in PROFILES.into_iter().zip([rfc1808, rfc3986, whatwg]) {
            assert_eq!(
                resolve(base, reference, profile).as_deref(),
                Ok(expected),
                "{profile:?} {reference:?}"
            );
        }
    }
    assert!(resolve(base, "http://a b/", Profile::Whatwg).is_err());
}

#[test]
fn whatwg_resolves_against_a_base_ending_in_a_drive_letter() {
    for (reference, expected) in [
        ("../g", "file:///m:/g"),
        ("..", "file:///m:/"),
        ("g", "file:///m:/a/g"),
        ("?q", "file:///m:/a/p:?q"),
        ("#f", "file:///m:/a/p:#f"),
        ("/g", "file:///m:/g"),
    ] {
        let target = resolve("file:///m:/a/p:", reference, Profile::Whatwg);
        assert_eq!(target.as_deref(), Ok(expected), "{reference:?}");
    }
}

/// URL Standard, "Windows drive letter": `..` stops at one only if the scheme is `file`.
#[test]
fn whatwg_drive_letter_is_an_ordinary_segment_outside_file_urls() {
    for (base, reference, expected) in [
        ("http://h/C:/b", "../x", "http://h/x"),
        ("http://h/C:/b", "../x y", "http://h/x%20y"),
        ("http://h/C:/b", "../", "http://h/"),
        ("http://h/w/b:/p", "..", "http://h/w/"),
        ("http://h/w/b|/p", "../x y", "http://h/w/x%20y"),
        ("http://h/C:/b", "x y", "http://h/C:/x%20y"),
        ("http://h/C:", "?q r", "http://h/C:?q%20r"),
        ("http://h/a", "/C:/../x", "http://h/x"),
        ("http://h/a/b", "c|/../y", "http://h/a/y"),
        ("http://h/a/b", "\\c:\\..\\y", "http://h/y"),
        ("http://h/a", "//c:/d:/../y", "http://c/y"),
        (
            "http://h/a",
            "https://c:/d:/../y?/e:/..",
            "https://c/y?/e:/..",
        ),
        ("http://h/C:/../b", "x y", "http://h/x%20y"),
        ("http://h/a", "file:///C:/../x", "file:///C:/x"),
        ("http://h/C:/b", "~no-drive~ ", "http://h/C:/~no-drive~"),
        ("file:///C:/a/b", "../../../x", "file:///C:/x"),
        ("file:///C:/a", "/D:/../x", "file:///D:/x"),
    ] {
        let target = resolve(base, reference, Profile::Whatwg);
        assert_eq!(target.as_deref(), Ok(expected), "{base} + {reference:?}");
        if let Ok(resolver) = Resolver::new(base, Profile::Whatwg) {
            let explained = resolver.explain(reference).map(|found| found.target);
            assert_eq!(explained.as_deref(), Ok(expected), "{base} + {reference:?}");
        }
    }
}

#[test]
fn rfc_3986_removes_dot_segments() {
    for (base, reference, expected) in [
        ("http://a/b/../c/d", "g", "http://a/c/g"),
        ("http://a", "g", "http://a/g"),
        ("http://a", "../g", "http://a/g"),
        ("http://a", "?y", "http://a?y"),
        ("http://a/b//c", "../g", "http://a/b/g"),
        ("http://a/b/c", "..", "http://a/"),
        ("http://a/b/c", "g/..", "http://a/b/"),
        ("http://a/b/c", "//h", "http://h"),
        ("http://a/b/c", "x:a/../b", "x:/b"),
        ("http://a/b/c", "x:../b", "x:b"),
        ("http://a/b/c", "x:./b/.", "x:b/"),
        ("fred:/a/b", "..//g", "fred:/.//g"),
        ("http://us?er@a/b", "g", "http://us/g"),
    ] {
        assert_eq!(
            resolve(base, reference, Profile::Rfc3986).as_deref(),
            Ok(expected),
            "{base} + {reference:?}"
        );
    }
}

/// A linear congruential generator, so that every run tests the same cases.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % limit
    }

    fn pick<'t>(&mut self, from: &[&'t str]) -> &'t str {
        from[self.below(from.len())]
    }
}

const ORIGINS: [&str; 8] = [
    "http://a",
    "http://a",
    "http://a",
    "https://a",
    "http://b",
    "http://u@a:80",
    "file://",
    "fred:",
];
/// Path segments, some with characters that are special elsewhere in a URL.
const SEGMENTS: [&str; 26] = [
    "", "a", "b", "c", "d", "a", "b", "x:y", ";p", "a;p=1", ".", "..", "...", ".h", "%2e%2e",
    "a%20b", "é", "a b", "~", "@", ":", "..:", ".;", "%2E", "%zz%", "a=b&c",
];
/// Params, queries and fragments. The long ones fill a SIMD block of the fast path.
const SUFFIXES: [&str; 16] = [
    "",
    "",
    "",
    "?",
    "?q",
    "?q=/x/../y",
    "#",
    "#f",
    "?q#f",
    "?a:b#/c",
    ";x",
    "?é#é",
    "?a=b&c;d%2e%/../long,enough+to*fill~a!block$of@bytes",
    "?a=b&c;d%2e%/../long,enough'to*fill~a!block$of@bytes",
    "?a=b&c;d%2e%/../long,enough|to*fill~a!block$of@bytes",
    "#f:;%2e/../?long(enough)to*fill~a!block$of@bytes",
];

fn url(numbers: &mut Numbers) -> String {
    let mut url = numbers.pick(&ORIGINS).to_owned();
    if numbers.below(8) == 0 {
        url.push_str(numbers.pick(&SUFFIXES));
        return url;
    }
    url.push('/');
    for _ in 0..numbers.below(5) {
        url.push_str(numbers.pick(&SEGMENTS));
        url.push('/');
    }
    url.push_str(numbers.pick(&SEGMENTS));
    url.push_str(numbers.pick(&SUFFIXES));
    url
}

fn reference(numbers: &mut Numbers) -> String {
    let mut reference = numbers
        .pick(&[
            "",
            "",
            "",
            "/",
            "//",
            "//",
            "//a/",
            "//a.b",
            "./",
            "../",
            "../../",
            "http://a/",
            "\\",
            "http:",
        ])
        .to_owned();
    for _ in 0..numbers.below(4) {
        reference.push_str(numbers.pick(&SEGMENTS));
        reference.push_str(numbers.pick(&["/", "/", "/", "", "\\", "\t"]));
    }
    reference.push_str(numbers.pick(&SEGMENTS));
    reference.push_str(numbers.pick(&SUFFIXES));
    reference
}

/// Hosts, of which the URL Standard writes some differently.
const HOSTS: [&str; 20] = [
    "a",
    "h.example",
    "1.h.example",
    "a-b.c1",
    "A.b",
    "a.B",
    "1.2.3.4",
    "127.1",
    "a.1",
    "a.0x1",
    "a.b.",
    "a..b",
    ".a",
    "-a",
    "xn--a",
    "h:80",
    "h:8080",
    "u@h",
    "",
    "a_b",
];

fn reference_with_host(numbers: &mut Numbers) -> String {
    let mut reference = numbers
        .pick(&["//", "http://", "https://", "ftp://", "HTTP://"])
        .to_owned();
    reference.push_str(numbers.pick(&HOSTS));
    reference.push_str(numbers.pick(&["/", "/", "", "?", "#"]));
    for _ in 0..numbers.below(4) {
        reference.push_str(numbers.pick(&SEGMENTS));
        reference.push_str(numbers.pick(&["/", "/", "", "\\"]));
    }
    reference.push_str(numbers.pick(&SUFFIXES));
    reference
}

/// The fast path of the resolver has the result of the profile's steps, which `explain` always executes.
#[test]
fn shortcut_agrees_with_every_step() {
    let numbers = &mut Numbers(1);
    for _ in 0..support::cases(100_000) {
        let base = url(numbers);
        for profile in PROFILES {
            let Ok(resolver) = Resolver::new(&base, profile) else {
                continue;
            };
            for round in 0..4 {
                let reference = match round {
                    0 => reference_with_host(numbers),
                    _ => reference(numbers),
                };
                let found = resolver
                    .resolve(&reference)
                    .map(std::borrow::Cow::into_owned);
                let expected = resolver
                    .explain(&reference)
                    .map(|resolution| resolution.target);
                assert_eq!(found, expected, "{profile:?} {base} + {reference:?}");
                if profile == Profile::Whatwg && !is_known_to_differ(&base, &reference) {
                    let by_crate = Url::parse(&base)
                        .and_then(|base| base.join(&reference))
                        .map(String::from);
                    assert_eq!(found.ok(), by_crate.ok(), "{base} + {reference:?}");
                }
            }
        }
    }
}

/// Pieces of URLs and of text that looks like one.
const PIECES: [&str; 64] = [
    "http:",
    "https:",
    "ftp:",
    "ws:",
    "file:",
    "x:",
    "HTTP:",
    "data:",
    "mailto:",
    "/",
    "/",
    "/",
    "//",
    "//",
    "\\",
    "?",
    "#",
    ":",
    "@",
    ".",
    "..",
    "./",
    "../",
    "%2e",
    "%2E%2e",
    "%",
    "%41",
    "%zz",
    "a",
    "b",
    "C",
    "h.example",
    "EXAMPLE",
    "x y",
    " ",
    "\t",
    "\n",
    "\u{1}",
    "\u{7f}",
    "\u{e9}",
    "\u{3b1}",
    "\u{ff21}",
    "\u{ad}",
    "\u{1f600}",
    "xn--",
    "xn--4ca",
    "1",
    "0x7f",
    "1.2.3.4",
    "256",
    "09",
    ":80",
    ":443",
    ":0",
    ":65536",
    "[::1]",
    "[1:2::3]",
    "[",
    "]",
    "user:pw@",
    "<>\"",
    "{}|^`",
    "'",
    "localhost",
];

fn pieces(numbers: &mut Numbers) -> String {
    (0..numbers.below(9))
        .map(|_| numbers.pick(&PIECES))
        .collect()
}

/// Random text resolves as in the `url` crate, except in the classes in which the crate is known to deviate.
#[test]
fn whatwg_agrees_with_the_url_crate() {
    let numbers = &mut Numbers(4);
    let count = support::cases(400_000);
    let (mut same, mut known) = (0_u32, 0);
    for _ in 0..count {
        let base = match numbers.below(3) {
            0 => url(numbers),
            1 => format!(
                "{}{}",
                numbers.pick(&["http://h/", "x://h/", "x:/", "file://h/"]),
                pieces(numbers)
            ),
            _ => pieces(numbers),
        };
        let reference = pieces(numbers);
        let found = Resolver::new(&base, Profile::Whatwg).map(|resolver| {
            // Resolving the fragment-only reference shows the base URL.
            let shown = resolver.resolve("#").map(std::borrow::Cow::into_owned);
            (
                shown,
                resolver.explain(&reference).map(|found| found.target),
            )
        });
        // The crate may fail an assertion there.
        if is_known_to_differ(&base, &reference) {
            known += 1;
            continue;
        }
        let by_crate =
            Url::parse(&base).map(|base| (base.clone(), base.join(&reference).map(String::from)));
        let agrees = match (&found, &by_crate) {
            (Err(_), Err(_)) => true,
            (Ok((shown, target)), Ok((base, expected))) => {
                let mut base = base.clone();
                base.set_fragment(Some(""));
                shown.as_deref() == Ok(base.as_str())
                    && target.as_ref().ok() == expected.as_ref().ok()
            }
            _ => false,
        };
        assert!(agrees, "{base:?} + {reference:?}: {found:?}, {by_crate:?}");
        same += 1;
    }
    assert!(same > count / 8 * 3, "{same} compared, {known} not");
    support::print_line(&format!(
        "random text: {same} as in the url crate, {known} where it may deviate"
    ));
}

/// Round trip: `resolve(base, relative(base, target))` is the target.
#[test]
fn relative_round_trips() {
    let numbers = &mut Numbers(2);
    let (mut pairs, mut relative, mut conditions) = (0, 0, 0);
    let count = support::cases(60_000) as usize;
    for _ in 0..count {
        let base = url(numbers);
        for profile in PROFILES {
            let Ok(resolver) = Resolver::new(&base, profile) else {
                continue;
            };
            for _ in 0..4 {
                // Targets are results of resolution, of another URL or of a relative reference.
                let written = if numbers.below(2) == 0 {
                    url(numbers)
                } else {
                    reference(numbers)
                };
                let Ok(target) = resolver.resolve(&written) else {
                    continue;
                };
                if resolver.resolve(&target).as_deref() != Ok(&*target) {
                    // Not a normalized target: RFC 3986 keeps dot segments of the base URL, but removes those of a
                    // reference.
                    continue;
                }
                for form in [RelativeForm::Path, RelativeForm::Root] {
                    let back = resolver.relative(&target, form);
                    assert!(!back.is_empty() || target.is_empty());
                    let again = resolver.resolve(&back);
                    // The empty port of "//a:" is not inherited from a base URL without it.
                    let spelled = match target.strip_prefix("http://a:/") {
                        Some(rest) if back != target => format!("http://a/{rest}"),
                        _ => target.to_string(),
                    };
                    assert_eq!(
                        again.as_deref(),
                        Ok(&*spelled),
                        "{profile:?} {base} {form:?} {back:?}"
                    );
                    pairs += 1;
                    relative += usize::from(back != target);
                    conditions += check_conditions(&resolver, &target, (form, &back), &spelled);
                }
            }
        }
    }
    assert!(pairs > 16 * count, "{pairs} pairs");
    assert!(conditions > 32 * count, "{conditions} with a condition");
    support::print_line(&format!(
        "round trip: {pairs} pairs, {relative} with a relative reference, {conditions} with one of a condition"
    ));
}

/// Asserts that every reference that `relative_where` finds leads to `target`, which may be `spelled` otherwise, meets
/// the condition, and is no shorter than `shortest`, which meets none; returns how many it finds.
fn check_conditions(
    resolver: &Resolver,
    target: &str,
    (form, shortest): (RelativeForm, &str),
    spelled: &str,
) -> usize {
    let conditions: [&dyn Fn(&str) -> bool; 5] = [
        &|reference| reference != shortest,
        &|reference| !reference.starts_with('#'),
        &|reference| !reference.starts_with(['#', '?', ';']),
        &|reference| {
            ["/", "./", "../"]
                .iter()
                .any(|start| reference.starts_with(start))
        },
        &|reference| reference.starts_with('/'),
    ];
    let mut found = 0;
    for condition in conditions {
        let reference = resolver.relative_where(target, form, condition);
        if condition(shortest) && shortest != target {
            assert_eq!(reference.as_deref(), Some(shortest), "{target}");
        }
        let Some(reference) = reference else { continue };
        assert!(condition(&reference), "{reference}: {target}");
        assert!(!reference.starts_with("//"), "{reference}: {target}");
        assert_eq!(resolver.resolve(&reference).as_deref(), Ok(spelled));
        assert!(reference.starts_with('/') || reference.len() >= shortest.len());
        found += 1;
    }
    found
}

#[test]
fn relative_is_short_and_safe() {
    for (base, target, path, root) in [
        ("http://a/b/c/d", "http://a/b/c/g", "g", "/b/c/g"),
        ("http://a/b/c/d", "http://a/b/c/d", "d", "/b/c/d"),
        ("http://a/b/c/d", "http://a/b/c/d#s", "#s", "/b/c/d#s"),
        ("http://a/b/c/d?q", "http://a/b/c/d?y", "?y", "/b/c/d?y"),
        ("http://a/b/c/d?q", "http://a/b/c/d", "d", "/b/c/d"),
        ("http://a/b/c/d", "http://a/b/c/", "./", "/b/c/"),
        ("http://a/b/c/d", "http://a/b/", "../", "/b/"),
        ("http://a/b/c/d", "http://a/", "../../", "/"),
        ("http://a/b/c/d", "http://a/x", "../../x", "/x"),
        ("http://a/b/c/d", "http://a/b/c/x:y", "./x:y", "/b/c/x:y"),
        ("http://a/b/c/d", "http://a/b/c//x", ".//x", "/b/c//x"),
        (
            "http://a/b/c/d",
            "https://a/b/c/g",
            "https://a/b/c/g",
            "https://a/b/c/g",
        ),
        (
            "http://a/b/c/d",
            "http://x/b/c/g",
            "http://x/b/c/g",
            "http://x/b/c/g",
        ),
        ("http://a/b/c/d", "mailto:x", "mailto:x", "mailto:x"),
    ] {
        for profile in PROFILES {
            let resolver = Resolver::new(base, profile).expect(base);
            assert_eq!(
                resolver.relative(target, RelativeForm::Path),
                path,
                "{profile:?} {base} {target}"
            );
            assert_eq!(
                resolver.relative(target, RelativeForm::Root),
                root,
                "{profile:?} {base} {target}"
            );
        }
    }
}

/// A path that begins with two slashes: `//x` would be a host. RFC 3986, 5.2.4, and the URL Standard remove the dot
/// segment of `/.//x`; RFC 1808, 4, step 5, leaves a path that begins with a slash as it is.
#[test]
fn path_with_two_slashes_is_no_authority() {
    for (profile, root) in [
        (Profile::Rfc1808, "http://a//x?q"),
        (Profile::Rfc3986, "/.//x?q"),
        (Profile::Whatwg, "/.//x?q"),
    ] {
        let resolver = Resolver::new("http://a/b/c/d", profile).expect("a base URL");
        let relative = |form| resolver.relative("http://a//x?q", form);
        assert_eq!(relative(RelativeForm::Path), "../..//x?q", "{profile:?}");
        assert_eq!(relative(RelativeForm::Root), root, "{profile:?}");
        assert_eq!(resolver.resolve(root).as_deref(), Ok("http://a//x?q"));
    }
}

/// RFC 3986, 6.2.2.1 and 6.2.3: the letter case of scheme and host, and the default port, make no difference.
#[test]
fn relative_compares_normalized_authorities() {
    for (base, target, path) in [
        ("http://a/b", "HTTP://a/z", "z"),
        ("http://a/b", "http://A/z", "z"),
        ("http://a/b", "http://a:80/z", "z"),
        ("http://a/b", "http://a:/z?q#f", "z?q#f"),
        ("https://a/b", "https://a:443/z", "z"),
        ("http://u@a/b", "http://u@A/z", "z"),
        ("http://[::1]/b", "http://[::1]:80/z", "z"),
        ("http://a/b", "http://a:81/z", "http://a:81/z"),
        ("http://a/b", "https://a:80/z", "https://a:80/z"),
        ("http://u@a/b", "http://U@a/z", "http://U@a/z"),
        ("http://a/b", "http://a.b/z", "http://a.b/z"),
    ] {
        for profile in PROFILES {
            let resolver = Resolver::new(base, profile).expect(base);
            assert_eq!(
                resolver.relative(target, RelativeForm::Path),
                path,
                "{profile:?} {base} {target}"
            );
        }
    }
}

/// C0 controls and spaces at the ends of a reference or base URL are not part of it, in any profile.
#[test]
fn ends_of_a_reference_are_stripped() {
    for (base, reference, expected) in [
        ("http://h/d/p", "\u{1} g \u{1f}", "http://h/d/g"),
        ("http://h/d/p", " #f ", "http://h/d/p#f"),
        ("http://h/d/p", "g h\n", "http://h/d/g%20h"),
        (" http://h/d/p ", "g", "http://h/d/g"),
        ("\u{1}http://h/d/p\u{2}", "?q", "http://h/d/p?q"),
    ] {
        for profile in PROFILES {
            let target = resolve(base, reference, profile);
            assert_eq!(
                target.as_deref(),
                Ok(expected),
                "{profile:?} {base:?} + {reference:?}"
            );
        }
    }
    for profile in PROFILES {
        assert!(
            absolve::resolution::is_absolute("\u{1}http://x/", profile),
            "{profile:?}"
        );
        let html = "<a href='\u{1}http://x/'></a><a href='\u{1}g\u{2}'></a>";
        let document = Document::new(html.as_bytes()).retrieved_from("http://h/d/p");
        let rewritten = support::recording().profile(profile).rewrite(&document);
        assert_eq!(
            String::from_utf8_lossy(&rewritten.bytes),
            "<a href='\u{1}http://x/'></a><a href='http://h/d/g'></a>",
            "{profile:?}"
        );
    }
    let target = resolve("http://h/", "\u{1}p://p:/x", Profile::Whatwg);
    assert_eq!(target.as_deref(), Ok("p://p/x"));
}

/// In a special URL, browsers read a backslash as a slash up to the query. Neither RFC has one in a URL.
#[test]
fn backslashes_before_the_query_are_slashes() {
    let base = "http://a/b/c/d";
    for (base, reference, expected) in [
        (base, "\\g", "http://a/g"),
        (base, "\\\\h\\g", "http://h/g"),
        (base, "/\\h/g", "http://h/g"),
        (base, "..\\g", "http://a/b/g"),
        (base, "g\\h", "http://a/b/c/g/h"),
        (base, "g\\..\\h", "http://a/b/c/h"),
        (base, "g?\\h#\\i", "http://a/b/c/g?\\h#\\i"),
        (base, "?\\h", "http://a/b/c/d?\\h"),
        (base, "#\\h", "http://a/b/c/d#\\h"),
        ("http:\\\\a\\b\\c?\\d", "g", "http://a/b/g"),
        ("file:///a/b", "\\\\h\\g", "file://h/g"),
        // No special scheme.
        ("fred://a/b/c", "\\g", "fred://a/b/\\g"),
        (base, "fred:\\g?\\", "fred:\\g?\\"),
    ] {
        for profile in PROFILES {
            let target = resolve(base, reference, profile);
            assert_eq!(
                target.as_deref(),
                Ok(expected),
                "{profile:?} {base} {reference}"
            );
            // Not a matter of escaping.
            let resolver = Resolver::new(base, profile)
                .expect(base)
                .escape(Escape::None);
            assert_eq!(resolver.resolve(reference).as_deref(), Ok(expected));
        }
    }
    // An absolute reference is unchanged until it is normalized.
    let html = b"<a href='http:\\\\h\\a\\..\\b?\\'></a>";
    for (profile, normalized) in
        PROFILES
            .into_iter()
            .zip(["http://h/a/../b?\\", "http://h/b?\\", "http://h/b?\\"])
    {
        let rewriter = support::recording().profile(profile);
        let document = Document::new(html).retrieved_from(base);
        assert_eq!(*rewriter.rewrite(&document).bytes, *html);
        let rewriter = rewriter.absolute_references(AbsoluteReferences::Normalize);
        let expected = format!("<a href='{normalized}'></a>");
        assert_eq!(
            String::from_utf8_lossy(&rewriter.rewrite(&document).bytes),
            expected
        );
    }
}

/// Programs look a percent-encoded host up literally, so an internationalized host is written as an A-label.
#[test]
fn internationalized_hosts_become_a_labels() {
    for (base, reference, expected) in [
        (
            "http://h/",
            "//\u{fc}.com/\u{fc}",
            "http://xn--tda.com/%C3%BC",
        ),
        (
            "http://h/",
            "//u@B\u{dc}CHER.example:81/",
            "http://u@xn--bcher-kva.example:81/",
        ),
        ("http://\u{fc}.com/a", "b", "http://xn--tda.com/b"),
    ] {
        for profile in PROFILES {
            let target = resolve(base, reference, profile);
            assert_eq!(target.as_deref(), Ok(expected), "{profile:?} {reference}");
        }
    }
    // Without a valid A-label, its letters are left as written.
    for (reference, expected) in [
        ("//\u{200d}.example/", "http://\u{200d}.example/"),
        ("//a\u{fc}<b>.example/", "http://a\u{fc}%3Cb%3E.example/"),
    ] {
        for profile in [Profile::Rfc1808, Profile::Rfc3986] {
            let target = resolve("http://h/", reference, profile);
            assert_eq!(target.as_deref(), Ok(expected));
        }
        assert!(resolve("http://h/", reference, Profile::Whatwg).is_err());
    }
}

/// In the URL Standard, a special URL needs no slashes if there is no base URL that could complete it.
#[test]
fn whatwg_base_needs_no_slashes() {
    let establish = |candidates: &[(BaseSource, &str)]| {
        let candidates = candidates
            .iter()
            .fold(BaseCandidates::new(), |all, (source, url)| {
                all.with(*source, url)
            });
        candidates.establish(Profile::Whatwg).map(|base| base.url)
    };
    let retrieval = BaseSource::Retrieval;
    for (url, expected) in [
        ("file:/x/y", "file:///x/y"),
        ("http:/h/a", "http://h/a"),
        ("http:h", "http://h/"),
    ] {
        assert_eq!(establish(&[(retrieval, url)]).as_deref(), Some(expected));
        assert_eq!(
            establish(&[(BaseSource::Embedded, url)]).as_deref(),
            Some(expected)
        );
        let links = support::recording()
            .profile(Profile::Whatwg)
            .links(&Document::new(format!("<a href='{url}'></a>").as_bytes()))
            .links
            .into_iter()
            .map(|link_report| link_report.outcome)
            .collect::<Vec<_>>();
        assert_eq!(links, [Outcome::Absolute], "{url}");
    }
    for (embedded, outside, expected) in [
        ("http:x", "http://h/a/b", "http://h/a/x"),
        ("http:/x", "https://h/a/b", "http://x/"),
        ("y", "http:/h/x", "http://h/y"),
        ("http:/h/x", "y", "http://h/x"),
    ] {
        let base = establish(&[(BaseSource::Embedded, embedded), (retrieval, outside)]);
        assert_eq!(base.as_deref(), Some(expected), "{embedded} {outside}");
    }
    assert_eq!(establish(&[(retrieval, "x/y")]), None);
    assert_eq!(establish(&[(retrieval, "http:")]), None);
}

#[test]
fn rewrite_supports_every_profile() {
    let html =
        b"<p><base href='../x/'><a href=';y'></a><a href='../../../g'></a><a href='\\h'></a>";
    let document = Document::new(html).retrieved_from("http://a/b/c/d");
    let links = |rewriter: Rewriter| -> Vec<String> {
        let rewritten = rewriter.rewrite(&document);
        let after = support::recording().links(&Document::new(&rewritten.bytes));
        after
            .links
            .into_iter()
            .map(|link_report| link_report.link.reference.into_owned())
            .collect()
    };
    // BASE outside HEAD counts only in the profile of the URL Standard, or with `BaseScope::Document`.
    assert_eq!(
        links(support::recording()),
        [
            "http://a/b/x/",
            "http://a/b/c/d;y",
            "http://a/../g",
            "http://a/h"
        ]
    );
    assert_eq!(
        links(support::recording().profile(Profile::Rfc3986)),
        [
            "http://a/b/x/",
            "http://a/b/c/;y",
            "http://a/g",
            "http://a/h"
        ]
    );
    assert_eq!(
        links(support::recording().profile(Profile::Whatwg)),
        [
            "http://a/b/x/",
            "http://a/b/x/;y",
            "http://a/g",
            "http://a/h"
        ]
    );
    assert_eq!(
        links(support::recording().base_scope(absolve::BaseScope::Document)),
        [
            "http://a/b/x/",
            "http://a/b/x/;y",
            "http://a/../g",
            "http://a/h"
        ]
    );
}

#[test]
fn whatwg_document_base_url() {
    let base = |html: &str| {
        let outside = BaseCandidates::new().with(BaseSource::Retrieval, "http://a/b/c?q#f");
        let report = support::recording()
            .profile(Profile::Whatwg)
            .links(&Document::new(html.as_bytes()).candidates(outside));
        report.base.base.map(|base| base.url)
    };
    for (html, expected) in [
        ("<base href=x/>", "http://a/b/x/"),
        ("<p><base href=x/>", "http://a/b/x/"),
        ("<base target=x><base href=x/>", "http://a/b/x/"),
        ("<base href=''><base href=x/>", "http://a/b/c?q"),
        ("<base href='data:,x'><base href=x/>", "http://a/b/c?q#f"),
        (
            "<base href='javascript:x'><base href=x/>",
            "http://a/b/c?q#f",
        ),
        (
            "<base href='http://a b/'><base href=x/>",
            "http://a/b/c?q#f",
        ),
        ("<template><base href=x/></template>", "http://a/b/c?q#f"),
        ("<svg><base href=x/></svg>", "http://a/b/c?q#f"),
        ("<base href='HTTP://H\\X'>", "http://h/X"),
    ] {
        assert_eq!(base(html).as_deref(), Some(expected), "{html}");
    }
}

#[test]
fn output_forms_and_mapping() {
    let html = b"<base href=http://a/b/><a href=c></a><a href=http://a/x?y></a><a href=http://z/></a><img src='/b/d e'>";
    let document = Document::new(html);
    let rewritten = |rewriter: Rewriter| {
        String::from_utf8_lossy(&rewriter.rewrite(&document).bytes).into_owned()
    };
    assert_eq!(
        rewritten(support::recording().output(OutputForm::Relative)),
        "<base href=http://a/b/><a href=c></a><a href=../x?y></a><a href=http://z/></a><img src='d%20e'>"
    );
    assert_eq!(
        rewritten(support::recording().output(OutputForm::RootRelative)),
        "<base href=http://a/b/><a href=/b/c></a><a href=/x?y></a><a href=http://z/></a><img src='/b/d%20e'>"
    );
    assert_eq!(
        rewritten(support::recording().map("http://a/b", "https://n")),
        "<base href=https://n/><a href=https://n/c></a><a href=http://a/x?y></a><a href=http://z/></a><img src='https://n/d%20e'>"
    );
    let html = b"<a href='http://a/../x y'></a><a href='HTTP://A'></a>";
    let document = Document::new(html).retrieved_from("http://a/");
    let rewritten = |rewriter: Rewriter| {
        String::from_utf8_lossy(&rewriter.rewrite(&document).bytes).into_owned()
    };
    for (profile, expected) in PROFILES.into_iter().zip([
        "<a href='http://a/../x%20y'></a><a href='HTTP://A'></a>",
        "<a href='http://a/x%20y'></a><a href='HTTP://A'></a>",
        "<a href='http://a/x%20y'></a><a href='http://a/'></a>",
    ]) {
        assert_eq!(
            rewritten(
                support::recording()
                    .profile(profile)
                    .absolute_references(AbsoluteReferences::Normalize)
            ),
            expected,
            "{profile:?}"
        );
        assert_eq!(
            rewritten(support::recording().profile(profile)).as_bytes(),
            html,
            "{profile:?}"
        );
    }
}

/// Links of the rewritten document have the targets of the original links, mapped.
#[test]
fn output_forms_preserve_targets() {
    let rewritten = |html: &str, rewriter: &Rewriter| {
        let document = Document::new(html.as_bytes()).retrieved_from("http://h/p");
        String::from_utf8_lossy(&rewriter.rewrite(&document).bytes).into_owned()
    };
    let relative = support::recording().output(OutputForm::Relative);
    // Relative to the codebase, if it is the base URL of the link.
    assert_eq!(
        rewritten(
            "<object codebase='http://h/k/' code='F'></object>",
            &relative
        ),
        "<object codebase='k/' code='F'></object>"
    );
    assert_eq!(
        rewritten(
            "<base href='http://h/x/'><object codebase='http://h/k' archive='http://h/k http://h/x/a'></object>",
            &relative
        ),
        "<base href='http://h/x/'><object codebase='../k' archive='k x/a'></object>"
    );
    assert_eq!(
        rewritten(
            "<html manifest='m'><base href='http://h/x/'><a href='http://h/x/g'>",
            &relative
        ),
        "<html manifest='m'><base href='http://h/x/'><a href='g'>"
    );
    // Relative to the BASE of the rewritten document.
    let moved = relative.clone().map("http://o/a/", "http://n/");
    assert_eq!(
        rewritten(
            "<base href='http://o/a/'><a href='../c'></a><a href='d'></a>",
            &moved
        ),
        "<base href='http://n/'><a href='http://o/c'></a><a href='d'></a>"
    );
    // A mapping joins with exactly one slash, whether either side of it ends in a slash or not.
    for (from, to) in [
        ("http://h/a/", "https://n"),
        ("http://h/a", "https://n/"),
        ("http://h/a/", "https://n/"),
    ] {
        let mapped = support::recording().map(from, to);
        assert_eq!(
            rewritten("<a href=/a/b></a><a href=/ab></a>", &mapped),
            "<a href=https://n/b></a><a href=http://h/ab></a>"
        );
    }
    // A reference into another document must not become fragment-only, which would refer to this document.
    assert_eq!(
        rewritten(
            "<base href='http://h/x'><svg><use href='http://h/x#i'></use></svg>",
            &relative
        ),
        "<base href='http://h/x'><svg><use href='x#i'></use></svg>"
    );
}

/// A reference that the grammar of its place would read otherwise is not written: a longer one is.
#[test]
fn output_forms_are_read_back_in_their_place() {
    let written = |html: &str, form| {
        let document = Document::new(html.as_bytes()).retrieved_from("http://h/d/p?q");
        let rewritten = support::recording().output(form).rewrite(&document);
        String::from_utf8_lossy(&rewritten.bytes).into_owned()
    };
    for (html, relative, root) in [
        // SVG 2 section 16.1.6 and CSS Values 4, "local URL flag": a fragment alone is a part of this document.
        (
            "<svg><use href='http://h/d/p?q#i'></use></svg>",
            "<svg><use href='?q#i'></use></svg>",
            "<svg><use href='/d/p?q#i'></use></svg>",
        ),
        (
            "<p style='fill: url(p?q#i)'>",
            "<p style='fill: url(?q#i)'>",
            "<p style='fill: url(/d/p?q#i)'>",
        ),
        // HTML, "parse a URL-like import specifier": an address begins with a slash, "./" or "../". The prefix of a scope
        // is parsed as any URL.
        (
            r#"<script type=importmap>{"imports":{"a":"http://h/d/p?q","./b":"http://h/d/b"},"scopes":{"./c/":{}}}</script>"#,
            r#"<script type=importmap>{"imports":{"a":"./p?q","./b":"./b"},"scopes":{"c/":{}}}</script>"#,
            r#"<script type=importmap>{"imports":{"a":"/d/p?q","/d/b":"/d/b"},"scopes":{"/d/c/":{}}}</script>"#,
        ),
        // HTML, "parse a srcset attribute": commas before a URL are skipped.
        (
            "<img srcset='./,a 1x, http://h/d/b 2x'>",
            "<img srcset='./,a 1x, b 2x'>",
            "<img srcset='/d/,a 1x, /d/b 2x'>",
        ),
        // HTML, "shared declarative refresh steps": "url=" before a URL is skipped.
        (
            "<meta http-equiv=refresh content='1; http://h/d/url=x'>",
            "<meta http-equiv=refresh content='1; ./url=x'>",
            "<meta http-equiv=refresh content='1; /d/url=x'>",
        ),
        // RFC 3986 section 6.2.2.3: no relative reference leads to these URLs, but to equivalent ones.
        ("<a href=/d/.>", "<a href=./>", "<a href=/d/.>"),
        ("<a href=/./?r#f>", "<a href=../?r#f>", "<a href=/./?r#f>"),
        (
            "<a href=http://h/e/../f/..>",
            "<a href=../>",
            "<a href=/e/../f/..>",
        ),
        // RFC 3986 section 4.2: a first segment with a colon would be a scheme.
        ("<a href='./x:y'>", "<a href='./x:y'>", "<a href='/d/x:y'>"),
    ] {
        assert_eq!(written(html, OutputForm::Relative), relative);
        assert_eq!(written(html, OutputForm::RootRelative), root);
    }
}

/// Round trip: links in each profile and output form, resolved again, have the same targets, except that dot segments
/// and backslashes may be missing. No relative form leaves a scheme and host that another reference would do without.
#[test]
fn output_forms_round_trip() {
    const PLACES: [(&str, &str); 10] = [
        ("<a href=\"", "\">"),
        ("<object codebase=k/ code=c data=\"", "\"></object>"),
        ("<object code=c codebase=\"", "\"></object>"),
        ("<applet codebase=//a/ object=c archive=\"", "\"></applet>"),
        ("<svg><use href=\"", "\"/></svg>"),
        ("<p style=\"a: url('", "')\">"),
        (
            "<script type=importmap>{\"imports\":{\"m\":\"",
            "\"}}</script>",
        ),
        ("<script type=importmap>{\"scopes\":{\"", "\":{}}}</script>"),
        ("<meta http-equiv=refresh content=\"1; ", "\">"),
        ("<img srcset=\"", " 2x\">"),
    ];
    let numbers = &mut Numbers(3);
    let (mut links, mut absolute, mut normalized) = (0, 0, 0);
    for _ in 0..5_000 {
        let base = url(numbers);
        let mut html = String::from("<title>x</title>");
        for _ in 0..numbers.below(5) {
            let (before, after) = PLACES[numbers.below(PLACES.len())];
            html.extend([before, &reference(numbers), after]);
        }
        for profile in PROFILES {
            let document = Document::new(html.as_bytes()).retrieved_from(&base);
            let before = linked(&document, profile);
            for form in [
                OutputForm::Absolute,
                OutputForm::Relative,
                OutputForm::RootRelative,
            ] {
                let rewritten = support::recording()
                    .profile(profile)
                    .output(form)
                    .rewrite(&document);
                let after = linked(
                    &Document::new(&rewritten.bytes).retrieved_from(&base),
                    profile,
                );
                let written = String::from_utf8_lossy(&rewritten.bytes);
                let case = format!("{profile:?} {form:?} {base} {html} {written}");
                normalized += assert_same_targets(&before, &after, form, &case);
                for link in after.iter().filter(|_| form != OutputForm::Absolute) {
                    links += 1;
                    absolute += usize::from(link.is_absolute);
                    assert!(
                        !link.is_absolute || !link.has_path_reference(profile),
                        "{case}"
                    );
                }
            }
        }
    }
    assert!(links > 80_000, "{links} links");
    assert!(absolute < links / 3, "{absolute} of {links} links");
    support::print_line(&format!(
        "round trip: {links} links in relative forms, {absolute} of them absolute, {normalized} with normal paths"
    ));
}

/// Asserts that links have the same targets, and returns how many have lost dot segments or backslashes.
///
/// RFC 3986 section 6.2.2.3: these are equivalent. They are lost only if no reference of a relative form leads to them.
fn assert_same_targets(before: &[Linked], after: &[Linked], form: OutputForm, case: &str) -> usize {
    assert_eq!(before.len(), after.len(), "{case}");
    let mut normalized = 0;
    for (before, after) in before.iter().zip(after) {
        let targets = [&before.target, &after.target];
        let is_normal = |url: &String| !["/.", "/%2", "\\"].iter().any(|dots| url.contains(dots));
        let may_differ = form != OutputForm::Absolute && !targets[0].as_ref().is_none_or(is_normal);
        if targets[0] == targets[1] || !may_differ {
            assert_eq!(targets[0], targets[1], "{case}");
            continue;
        }
        let [before, after] = targets.map(|url| {
            let url = url.as_deref().expect("a target");
            Url::parse(url).expect("a URL")
        });
        assert_eq!(before, after, "{case}");
        normalized += 1;
    }
    normalized
}

/// A link of a document, with its base URL.
struct Linked {
    base: Option<String>,
    /// `None` if the link is skipped.
    target: Option<String>,
    is_absolute: bool,
}

impl Linked {
    /// Returns whether the path of the target, and what follows it, lead from the base URL to the target.
    fn has_path_reference(&self, profile: Profile) -> bool {
        let (Some(base), Some(target)) = (&self.base, &self.target) else {
            return false;
        };
        let authority = target.find("://").map(|colon| colon + 3);
        let path = authority.and_then(|start| Some(start + target[start..].find('/')?));
        let path = path.map(|start| &target[start..]);
        // Browsers read the beginning of such a path as a host.
        let path = path.filter(|path| !path[1..].starts_with('\\'));
        path.is_some_and(|path| resolve(base, path, profile).as_deref() == Ok(&**target))
    }
}

/// Returns the links of a document.
fn linked(document: &Document<'_>, profile: Profile) -> Vec<Linked> {
    let report = support::recording().profile(profile).links(document);
    let links = report.links.into_iter();
    let linked = links.map(|link_report| Linked {
        base: link_report.base.as_ref().map(|base| base.url.clone()),
        target: link_report.target().map(str::to_owned),
        is_absolute: link_report.outcome == Outcome::Absolute,
    });
    linked.collect()
}
