//! `check` of directories with `.htaccess`: links are checked where the server would send them.

use support::world::World;

/// Returns the references to missing files in `w/index.html`, whose body has a link to each of `links`, separated by
/// spaces.
fn missing(htaccess: &str, links: &str) -> Vec<String> {
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
        "--url",
        "https://h.example/d/",
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
    let htaccess = format!("RedirectMatch ^/d/b(.*)$ /d/b{groups}\n");
    assert_eq!(missing(&htaccess, "bxx none.html"), ["none.html"]);
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

/// Conditions and flags of a rule are not evaluated, so its target may be there.
#[test]
fn links_that_rules_of_the_server_may_serve_are_counted() {
    for rule in [
        "RedirectMatch ^/d/x/(?!a)(.*) /d/$1",
        "RedirectMatch ^/d/x/(.)\\1 /d/$1",
        "RewriteRule ^x/(b)\\1 about.html [R]",
        "RewriteCond %{TIME_HOUR} >12\nRewriteRule ^x/ none.html [R]",
        "RewriteRule ^x/(.*) index.php?p=$1 [L,QSA]",
        "<If \"%{TIME} > 1\">\nRedirect /d/x /d/none.html\n</If>",
    ] {
        assert_eq!(missing(rule, "x/bb y/bb"), ["y/bb"], "{rule}");
    }
    let world = World::new(&[
        (
            "w/index.html",
            "<a href=x/bb>x</a> <a href=y>y</a> <a href=deep/>z</a>",
        ),
        ("w/deep/start.php", ""),
        (
            "w/.htaccess",
            "RewriteRule ^x/ about.html\nDirectoryIndex start.php\n",
        ),
    ]);
    let answer = world.run(&["check", "w", "--select", "missing-target"]);
    let summary = "1 finding in 1 of 1 document; links left to rules of the server: 1";
    let output = answer.exits_with(1);
    assert!(output.stderr.contains(summary), "{output:?}");
}

/// The server changes the scheme or the host, and the path remains.
#[test]
fn rules_about_the_host_hide_no_finding() {
    let htaccess = "RewriteEngine On\n\
        RewriteCond %{HTTPS} off\n\
        RewriteRule ^ https://%{HTTP_HOST}%{REQUEST_URI} [R=301,L]\n\
        RewriteCond %{HTTP_HOST} !^h\\.example$\n\
        RewriteRule ^(.*)$ https://h.example/d/$1 [R=301,L]\n";
    assert_eq!(missing(htaccess, "y/a about.html"), ["y/a"]);
}

#[test]
fn many_rules_end() {
    let rule = |n: usize| format!("RedirectMatch ^(.*)/{n}$ /d/none-$1\n");
    let htaccess: String = (0..3000).map(rule).collect();
    // They are not compared with each link, so nothing is certain.
    assert_eq!(missing(&htaccess, "x").len(), 0);
    assert_eq!(missing(&rule(1), "x").len(), 1);
}
