//! `absolve base`.

use support::world::{World, run};

#[test]
fn base_prints_the_matrix_of_rfc_1808_section_3() {
    for row in support::table("fixtures/base/section3.tsv") {
        let [
            name,
            embedded,
            encapsulating,
            retrieval,
            default,
            url,
            source,
        ] = &row[..]
        else {
            panic!("{row:?}")
        };
        let mut arguments = vec!["base", "--format", "json"];
        for (option, cell) in [
            ("--enclosing-base", encapsulating),
            ("--url", retrieval),
            ("--default-base", default),
        ] {
            if cell != "-" {
                arguments.extend([option, cell]);
            }
        }
        let html = match embedded.as_str() {
            "-" => String::new(),
            "\"\"" => "<base href=\"\">".to_owned(),
            href => format!("<base href=\"{href}\">"),
        };
        let answer: serde_json::Value =
            serde_json::from_str(&run(&arguments, &html).printed()).expect("JSON");
        let cell = |key: &str| answer[key].as_str().unwrap_or("-").to_owned();
        assert_eq!((&cell("base"), &cell("source")), (url, source), "{name}");
        let candidates = answer["candidates"].as_array().expect("candidates");
        let present = [embedded, encapsulating, retrieval, default]
            .into_iter()
            .filter(|cell| *cell != "-")
            .count();
        assert_eq!(candidates.len(), present, "{name}");
        let used: Vec<_> = candidates
            .iter()
            .filter(|candidate| candidate["used"] == true)
            .collect();
        assert_eq!(used.len(), usize::from(url != "-"), "{name}");
        assert!(
            used.iter().all(|candidate| candidate["source"] == **source),
            "{name}"
        );
    }
}

/// One candidate determines the base URL, and another one may complete it.
#[test]
fn base_distinguishes_candidates_that_are_used_and_that_complete_it() {
    let options = [
        "base",
        "--format",
        "json",
        "--url",
        "http://h/",
        "--default-base",
        "http://d/",
    ];
    let json = run(&options, "<base href=b/>").printed();
    for candidate in [
        r#"{"source":"embedded","section":"3.1","value":"b/","used":true,"completing":false,"#,
        r#"{"source":"retrieval","section":"3.3","value":"http://h/","used":false,"completing":true,"#,
        r#"{"source":"default","section":"3.4","value":"http://d/","used":false,"completing":false,"#,
    ] {
        assert!(json.contains(candidate), "{json}");
    }
}

#[test]
fn base_explains_candidates() {
    let output = run(
        &[
            "base",
            "--url",
            "http://r/x/d",
            "--enclosing-base",
            "http://e/",
        ],
        "<base href='mailto:x'>",
    );
    assert_eq!(
        output.printed(),
        "-: http://e/\n  source: encapsulating-entity (RFC 1808 section 3.2)\n  candidates, in order of precedence:\n  \
         - embedded \"mailto:x\": non-hierarchical base URL\n  \
         * encapsulating-entity \"http://e/\": first usable candidate\n  \
         - retrieval \"http://r/x/d\": overridden by a candidate of higher precedence\n"
    );
    let output = run(&["base"], "<p>");
    assert!(output.printed().starts_with(
        "-: no base URL\n  relative references are left unchanged (RFC 1808 section 3.4)\n"
    ));
}

/// The URL that a saved page states is that of its retrieval, below `--url`, however the page is read.
#[test]
fn saved_pages_state_their_url() {
    let page = "<!-- saved from url=(0020)https://h.example/a/ --><a href=x>x</a>";
    let document = page.to_owned() + &" ".repeat(5 << 20);
    let world = World::new(&[("page.html", page), ("long.html", &document)]);
    for arguments in [&["rewrite", "page.html"][..], &["rewrite", "long.html"]] {
        let written = world.run(arguments).printed();
        assert!(written.contains("<a href=https://h.example/a/x>"));
    }
    let written = run(&["rewrite"], page).printed();
    assert!(written.contains("<a href=https://h.example/a/x>"));
    let written = run(&["rewrite", "--url", "https://o.example/"], page).printed();
    assert!(written.contains("<a href=https://o.example/x>"));
}
