//! Resolution by RFC 1808 (sections 2, 4 and 5).

use absolve::resolution::Reference;
use absolve::{Escape, Profile, ResolveError, Resolver, resolve};

const BASE: &str = "http://a/b/c/d;p?q#f";

fn target(base: &str, reference: &str) -> String {
    resolve(base, reference, Profile::Rfc1808)
        .expect(base)
        .into_owned()
}

#[test]
fn resolve_passes_every_example_of_rfc_1808() {
    let rows = support::table("fixtures/rfc1808/examples.tsv");
    let count = |section: &str| rows.iter().filter(|row| row[0] == section).count();
    assert_eq!((count("5.1"), count("5.2"), count("10")), (24, 15, 1));
    for row in &rows {
        let [_, base, reference, expected] = &row[..] else {
            panic!("{row:?}")
        };
        assert_eq!(target(base, reference), *expected, "{base} + {reference:?}");
    }
}

#[test]
fn split_follows_the_order_of_rfc_1808_section_2_4() {
    let split = |text| Reference::split(text, Profile::Rfc1808);
    let reference = split("s://n/p/q;a;b/c?d?e;f#g#h?i");
    assert_eq!(
        reference,
        Reference {
            scheme: Some("s"),
            authority: Some("n"),
            path: "/p/q",
            params: Some("a;b/c"),
            query: Some("d?e;f"),
            fragment: Some("g#h?i"),
        }
    );
    // A scheme is not empty and consists of letters, digits, "+", "." and "-".
    for text in ["a/b:c", ":b", "a b:c", "?a:b", "é:b"] {
        assert_eq!(split(text).scheme, None, "{text}");
    }
    for text in ["a:b", "1:b", "+.-:b", "A1+.-:b"] {
        assert_eq!(split(text).scheme, text.split(':').next(), "{text}");
    }
    // The fragment is split off first: everything after "#" belongs to it.
    assert_eq!(split("#a:b").scheme, None);
    assert!(split("").is_empty());
    assert!(!split("#").is_empty());
    assert!(split("#").is_fragment_only());
    assert!(!split("?#").is_fragment_only());
}

#[test]
fn resolve_keeps_delimiters_of_empty_components() {
    for (reference, expected) in [
        ("?", "http://a/b/c/d;p?"),
        (";", "http://a/b/c/d;"),
        ("#", "http://a/b/c/d;p?q#"),
        ("g?", "http://a/b/c/g?"),
        ("g;", "http://a/b/c/g;"),
        ("g#", "http://a/b/c/g#"),
        ("g;?#", "http://a/b/c/g;?#"),
        (";?", "http://a/b/c/d;?"),
    ] {
        assert_eq!(target(BASE, reference), expected, "{reference}");
    }
}

#[test]
fn resolve_inherits_an_empty_network_location() {
    // Step 3 only applies to a network location that is "non-empty".
    assert_eq!(target(BASE, "///g"), "http://a/g");
    assert_eq!(target("file:///x/y", "///g"), "file:///g");
    assert_eq!(target("http:///s//a/b/c", "../../../g"), "http:///s/g");
}

#[test]
fn resolve_base_without_path_has_path_slash() {
    for (base, reference, expected) in [
        ("http://a", "g", "http://a/g"),
        ("http://a", "../g", "http://a/../g"),
        ("http://a", ".", "http://a/"),
        ("http://a", "?y", "http://a/?y"),
        ("http://a", ";x", "http://a/;x"),
        ("http://a", ";@evil.example/", "http://a/;@evil.example/"),
        ("http://a", "#s", "http://a/#s"),
        ("http://a", "", "http://a"),
        ("http://a#f", "g", "http://a/g"),
    ] {
        assert_eq!(target(base, reference), expected, "{base} + {reference:?}");
    }
}

#[test]
fn resolve_query_may_follow_the_network_location() {
    assert_eq!(target("http://a?q", "g"), "http://a/g");
    assert_eq!(target("http://a?q=/x/", "g"), "http://a/g");
    assert_eq!(target("http://b/c", "//a?q"), "http://a?q");
    assert_eq!(target("http://a?m=joe@example.org", "/g"), "http://a/g");
    assert_eq!(
        Reference::split("http://a?q=x/y", Profile::Rfc1808).query,
        Some("q=x/y")
    );
    // In user and password, `?` is literal (RFC 1738 section 3.1).
    assert_eq!(
        target("ftp://us?er:pa;ss@a/b", "g"),
        "ftp://us?er:pa;ss@a/g"
    );
}

#[test]
fn resolve_never_turns_a_path_into_a_network_location() {
    assert_eq!(target("fred:/a", ".//g"), "fred:/.//g");
    assert_eq!(target("fred:/a/b", "..//g"), "fred:/.//g");
    assert_eq!(target("fred://h/a/b", "..//g"), "fred://h//g");
}

#[test]
fn resolve_removes_whole_dot_segments_of_relative_paths() {
    for (base, reference, expected) in [
        ("http://a/b/c/d", "../../..", "http://a/.."),
        ("http://a/b/c/d", "../../../..", "http://a/../.."),
        ("http://a/b/c/d", "../../../../g/..", "http://a/../../"),
        ("http://a/b/c/d", "g/../../h/./i/..", "http://a/b/h/"),
        ("http://a/b//c", "../g", "http://a/b/g"),
        ("http://a/b//c", "../../g", "http://a/g"),
        ("http://a/b/../c/d", "g", "http://a/c/g"),
        ("http://a/b/./c/d", "g", "http://a/b/c/g"),
        ("http://a/../b/d", "g", "http://a/../b/g"),
        ("http://a/../b/d", "../../g", "http://a/../../g"),
        ("http://a/b/c", "...", "http://a/b/..."),
        ("http://a/b/c", ".;x", "http://a/b/;x"),
        ("http://a/b/c", "..?y", "http://a/?y"),
        ("http://a/b/c", "%2e%2e/g", "http://a/b/%2e%2e/g"),
    ] {
        assert_eq!(target(base, reference), expected, "{base} + {reference:?}");
    }
}

#[test]
fn resolve_escapes_characters_not_allowed_in_urls() {
    for (reference, expected) in [
        ("a b", "http://a/b/c/a%20b"),
        ("é", "http://a/b/c/%C3%A9"),
        ("a%20b", "http://a/b/c/a%20b"),
        ("a\"b<c>", "http://a/b/c/a%22b%3Cc%3E"),
        ("g?a b\"", "http://a/b/c/g?a%20b%22"),
        ("g#a b`", "http://a/b/c/g#a%20b%60"),
        ("g;a b", "http://a/b/c/g;a%20b"),
        ("//hé/x", "http://xn--h-bga/x"),
        // Tabs and line breaks are removed everywhere: they only wrap a long URL.
        ("a\r\n\tb", "http://a/b/c/ab"),
        (".\n./g", "http://a/b/g"),
        // Browsers treat a backslash as a slash, so encoding it would change the target for them.
        ("a\\b", "http://a/b/c/a/b"),
    ] {
        assert_eq!(target(BASE, reference), expected, "{reference:?}");
    }
    // Absolute references are left unchanged.
    assert_eq!(target(BASE, "http://x/a b"), "http://x/a b");
    assert_eq!(target(BASE, "ht\ntp://x/a b"), "ht\ntp://x/a b");

    let resolver = Resolver::new(BASE, Profile::Rfc1808)
        .expect(BASE)
        .escape(Escape::None);
    assert_eq!(
        resolver.resolve("a b\té?ü").as_deref(),
        Ok("http://a/b/c/a b\té?ü")
    );
    // Characters of the base URL are escaped, too, because they are part of the target.
    assert_eq!(target("http://a/ü ü/d", "g"), "http://a/%C3%BC%20%C3%BC/g");
}

#[test]
fn resolve_rejects_unusable_bases() {
    let error = |base| resolve(base, "g", Profile::Rfc1808).expect_err(base);
    for base in ["a/b", "//a/b", "/a", "?q", "#f", " "] {
        assert_eq!(error(base), ResolveError::BaseNotAbsolute, "{base}");
    }
    for base in [
        "mailto:a@b",
        "MAILTO:a@b",
        "news:x",
        "telnet://h/",
        "data:,x",
        "data:/x",
        "javascript:x",
        "http:g",
        "http:",
        "about:blank",
        "urn:a:b",
        "cid:/x",
        "x:y",
    ] {
        assert_eq!(error(base), ResolveError::BaseNotHierarchical, "{base}");
    }
    for base in [
        "http://",
        "http://#f",
        "http://a b/c",
        "http://<a>/",
        "http://a\u{1}/",
        // RFC 3986 section 3.2: brackets enclose an IP literal, and a port consists of digits.
        "http://[",
        "http://]/",
        "http://[::1/a",
        "http://[]/",
        "http://[1::2::3]/",
        "http://[a]/",
        "http://[v.a]/",
        "http://a[::1]/",
        "http://[::1]a/",
        "http://[::1]80/",
        "http://[u]@a/",
        "http://a:b/",
        "http://a:80:80/",
        "http://a:-1/",
        "http://::1/",
    ] {
        assert_eq!(error(base), ResolveError::BaseMalformed, "{base}");
    }
    for base in [
        "file:///a",
        "file:/a",
        "ftp://a/b",
        "http://a",
        "HTTPS://a/b",
        "nntp://a/b",
        "gopher://a/1b",
        "prospero://a/b",
        "wais://a/b",
        "fred:/a/b",
        "fred:///s//a/b/c",
        "http://[::1]/a",
        "http://é/a",
        "http://u:p@a:80/",
        "http://a:/",
        "http://a_b.example/",
        "http://a/b c/d",
        "http://[fe80::1%25eth0]:8080/",
        "http://[::ffff:192.0.2.1]/",
        "http://[v1.a:b]/",
        "http://u@[::1]:80/",
        "http://a%41/",
    ] {
        assert!(resolve(base, "g", Profile::Rfc1808).is_ok(), "{base}");
    }
    // Step 1: without a base every reference is taken to be absolute; step 2b: an absolute one needs no base.
    assert_eq!(target("", "g"), "g");
    assert_eq!(target("mailto:a@b", "x:y"), "x:y");
}

#[test]
fn resolve_borrows_an_absolute_reference() {
    let reference = String::from("http://x/y");
    let target = resolve(BASE, &reference, Profile::Rfc1808).expect(BASE);
    assert!(matches!(target, std::borrow::Cow::Borrowed(_)));
}

#[test]
fn resolve_handles_long_references() {
    let up = "../".repeat(100_000);
    assert_eq!(
        target(BASE, &format!("{up}g")),
        format!("http://a/{}g", "../".repeat(99_998))
    );
    let down = "x/".repeat(500_000);
    assert_eq!(
        target(BASE, &format!("{down}g")),
        format!("http://a/b/c/{down}g")
    );
    let there_and_back = "x/".repeat(100_000) + &up;
    assert_eq!(
        target(BASE, &format!("{there_and_back}g")),
        "http://a/b/c/g"
    );
}
