//! `check` of directories with `.htaccess`: links are checked where the server would send them.

use support::world::World;

/// Returns the references to missing files in `w/index.html`, whose body has a link to each of `links`, separated by
/// spaces.
fn missing(htaccess: &str, links: &str) -> Vec<String> {
    missing_at(["--url", "https://h.example/d/"], htaccess, links)
}

fn missing_at(place: [&str; 2], htaccess: &str, links: &str) -> Vec<String> {
    let links = links.split_ascii_whitespace();
    let links: Vec<String> = links.map(|link| format!("<a href={link}>x</a>")).collect();
    let index = links.join("\n");
    let world = World::new(&[
        ("w/index.html", &index),
        ("w/about.html", ""),
        ("w/deep/er/page.html", ""),
        ("w/.htaccess", htaccess),
    ]);
    let answer = world.run(&[
        "check",
        "w",
        place[0],
        place[1],
        "--select",
        "missing-target",
        "--format",
        "json",
        "--exit-zero",
    ]);
    let rows: Vec<serde_json::Value> =
        serde_json::from_str(&answer.exits_with(0).stdout).expect("JSON");
    let reference = |row: &serde_json::Value| row["reference"].as_str().map(str::to_owned);
    rows.iter().filter_map(reference).collect()
}

#[test]
fn redirect_match_leads_to_files() {
    let htaccess = "RedirectMatch 301 ^/d/old/(.*)$ /d/$1\nRedirectMatch gone ^/d/gone/\n";
    let links = "old/about.html old/none.html gone/about.html none.html";
    assert_eq!(
        missing(htaccess, links),
        ["old/none.html", "gone/about.html", "none.html"]
    );
}

/// Each redirect multiplies the length of the URL by eight. Servers reject a long one, so nobody knows what is there.
#[test]
fn redirects_to_ever_longer_urls_end() {
    let groups = "$1".repeat(8);
    let match_rule = format!("RedirectMatch ^/d/b(.*)$ /d/b{groups}\n");
    let rewrite_rule = format!("RewriteEngine On\nRewriteRule ^b(.*)$ /d/b{groups} [R]\n");
    for htaccess in [match_rule, rewrite_rule] {
        assert_eq!(missing(&htaccess, "bxx none.html"), ["none.html"]);
    }
    let world = World::new(&[
        (
            "w/index.html",
            "<a href=/b/xx>x</a> <a href=/none.html>x</a>",
        ),
        (
            "w/_redirects",
            &format!("/b/* /b/{} 301\n", ":splat".repeat(8)),
        ),
    ]);
    let arguments = ["check", "w", "--url", "https://h.example/"];
    let answer = world.run(&[&arguments[..], &["--select", "missing-target"]].concat());
    assert_eq!(answer.code, Some(1), "{answer:?}");
    assert!(answer.stdout.contains("1 finding in") || answer.stderr.contains("1 finding in"));
}

#[test]
fn rewrite_rule_leads_to_files() {
    let htaccess = "RewriteEngine On\n\
        RewriteRule ^old/(.*)$ $1 [R=301,L]\n\
        RewriteRule ^abs/(.*)$ https://h.example/d/$1 [L]\n\
        RewriteRule ^away/ https://other.example/ [R]\n";
    let links = "old/about.html old/none.html abs/about.html abs/none.html away/x none.html";
    assert_eq!(
        missing(htaccess, links),
        ["old/none.html", "abs/none.html", "none.html"]
    );
}

#[test]
fn extensions_that_the_server_adds_are_found() {
    let htaccess = "RewriteEngine On\n\
        RewriteCond %{REQUEST_FILENAME} !-d\n\
        RewriteCond %{REQUEST_FILENAME}.html -f\n\
        RewriteRule ^(.*?)/?$ $1.html [L]\n";
    let links = "about about/ deep/er/page deep/er/page/ none deep/er";
    assert_eq!(missing(htaccess, links), ["none", "deep/er"]);
}

#[test]
fn rules_that_are_not_understood_cause_no_finding() {
    for rule in [
        "RedirectMatch ^/d/x/(?!a)(.*) /d/$1",
        "RedirectMatch ^/d/x/(.)\\1 /d/$1",
        "RewriteRule ^x/(?=b)(.*) about.html [R]",
        "RewriteRule ^x/(b)\\1 about.html [R]",
        "RewriteCond %{TIME_HOUR} >12\nRewriteRule ^x/ about.html [R]",
        "RewriteCond %{HTTP_COOKIE} id=(.*)\nRewriteRule ^x/ %1 [R]",
        "RewriteCond %{DOCUMENT_ROOT}/cache/$1 -f\nRewriteRule ^x/(.*) /cache/$1 [L]",
        "RewriteCond /srv/cache/$1 -f\nRewriteRule ^x/(.*) about.html [R]",
        "RewriteRule ^x/(.*) index.php?p=$1 [L,QSA]",
    ] {
        assert_eq!(missing(rule, "x/bb y/bb"), ["y/bb"], "{rule}");
    }
    // The rule may not apply, but it leads to no file either.
    let rule = "RewriteCond %{HTTP_USER_AGENT} Mobile\nRewriteRule ^x/ none.html [R]";
    assert_eq!(missing(rule, "x/bb"), ["x/bb"]);
}

#[test]
fn host_of_a_base_path_is_not_known() {
    let htaccess = "RewriteEngine On\n\
        RewriteCond %{HTTP_HOST} !^h\\.example$\n\
        RewriteRule ^(.*)$ https://h.example/d/$1 [R=301,L]\n\
        RewriteCond %{HTTP_HOST} ^h\\.example$\n\
        RewriteRule ^x/ /d/about.html [R]\n";
    let place = ["--base-path", "/d/"];
    assert_eq!(missing_at(place, htaccess, "x/a y/a"), ["y/a"]);
}

#[test]
fn many_rules_that_may_apply_end() {
    let rule = |n: usize| {
        format!("RewriteCond %{{HTTP_COOKIE}} c\nRewriteRule ^(.*)$ /d/{n}/none-$1 [R]\n")
    };
    let htaccess: String = (0..3000).map(rule).collect();
    // Not all of them are followed, so nothing is certain.
    assert_eq!(missing(&htaccess, "x").len(), 0);
    assert_eq!(missing(&rule(1), "x").len(), 0);
}
