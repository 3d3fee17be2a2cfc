//! The reactions that files declare, as Apache and Netlify document their directives.

use super::*;

/// Returns the reaction to a path, as text; empty if there is none.
fn reaction(redirects: &Redirects, path: &str) -> String {
    match redirects.reaction(path.as_bytes()) {
        Some(Action::Forward(to)) => to,
        Some(Action::Serve) => "served".to_owned(),
        Some(Action::Fail) => "error".to_owned(),
        None => String::new(),
    }
}

fn htaccess(file: &str) -> Redirects {
    let mut redirects = Redirects::default();
    redirects.add_htaccess(b"/".to_vec(), file);
    redirects
}

fn assert_reactions(redirects: &Redirects, cases: &[(&str, &str)]) {
    for (path, expected) in cases {
        assert_eq!(reaction(redirects, path), *expected, "{path}");
    }
}

#[test]
fn list_is_that_of_netlify() {
    let mut redirects = Redirects::default();
    redirects.add_list(
        "# a comment\n/old /new 301\n/blog/* /posts/:splat\n/u/:id /users/:id/x 301!\n\
         /q id=:id /r 302\n/app/* /app.html 200\n/404/* /404.html 404\n",
    );
    assert_reactions(
        &redirects,
        &[
            ("/old", "/new"),
            ("/old/", "/new"),
            ("/old/x", ""),
            ("/blog/a b/c", "/posts/a%20b/c"),
            ("/blog", "/posts/"),
            ("/u/7", "/users/7/x"),
            ("/u/7/8", ""),
            ("/q", "/r"),
            ("/app/a", "served"),
            ("/404/a", "error"),
            ("/new", ""),
        ],
    );
}

#[test]
fn redirect_is_that_of_mod_alias() {
    let redirects = htaccess(
        "Options None\nRedirect 301 /moved https://h/\nredirectpermanent \"/perm\" /x\nRedirect gone /gone\n\
         Redirect 410 /number\nRedirect /slash/ /to\nRedirect 404 /wrong /x\nRedirect temp /temp /y\n\
         # Redirect /comment /z\nRedirectTemp /long \\\n  /joined\n",
    );
    assert_reactions(
        &redirects,
        &[
            ("/moved/a b", "https://h//a%20b"),
            ("/perm", "/x"),
            ("/perm/y", "/x/y"),
            ("/permanent", ""),
            ("/gone", "error"),
            ("/number/x", "error"),
            ("/slash/a", "/toa"),
            ("/slash", ""),
            ("/wrong", ""),
            ("/temp", "/y"),
            ("/comment", ""),
            ("/long", "/joined"),
        ],
    );
}

#[test]
fn redirect_match_has_the_groups_of_its_expression() {
    let redirects = htaccess(
        r#"RedirectMatch 301 ^/old/(\d+)-(.*)\.html$ https://example.org/posts/$2/#n$1
RedirectMatch (?i)\.GIF$ /pictures$0.png
RedirectMatch 404 \.bak$
RedirectMatch permanent "^/a b/(.*)" "/c/$1"
RedirectMatch ^/cost/(.*) /\$1/$1/$2
RedirectMatch ^/look/(?!new)(.*) /new/$1
"#,
    );
    assert_reactions(
        &redirects,
        &[
            ("/old/12-a b.html", "https://example.org/posts/a%20b/#n12"),
            ("/old/x-a.html", ""),
            ("/x.gif", "/pictures.gif.png"),
            ("/x.bak", "error"),
            ("/a b/?#", "/c/%3F%23"),
            ("/cost/x", "/$1/x/"),
            ("/look/old", "served"),
            ("/other", ""),
        ],
    );
}

#[test]
fn rewrite_rules_are_left_to_the_server() {
    let mut redirects = htaccess(
        r"RewriteEngine On
RewriteCond %{HTTPS} off
RewriteRule ^(.*)$ https://%{HTTP_HOST}%{REQUEST_URI} [R=301,L]
RewriteCond %{HTTP_HOST} !^www\. [NC]
RewriteRule ^(.*)$ https://www.example.org/$1 [R=301,L]
RewriteRule ^old/(.*)$ new/$1 [R=301,L]
RewriteRule ^/never$ /x [R]
RewriteRule ^CASE$ /lower [R,NC]
RewriteRule ^gone - [G]
RewriteRule ^handler/ - [H=some-program]
RewriteRule ^a\ b$ /space [R]
RewriteRule ^look(?=x) /y [R]
RewriteRule ^moved/ https://other.example/ [R]
Redirect /old/alias /to
",
    );
    redirects.add_htaccess(
        b"/sub/".to_vec(),
        "RewriteRule !^(a|b)$ b [R]\nRedirect /sub/a /to\n",
    );
    redirects.add_htaccess(
        b"/off/".to_vec(),
        "RewriteEngine off\nRewriteRule . /x [R]\n",
    );
    redirects.add_htaccess(
        b"/dir/".to_vec(),
        "RewriteRule (.*) https://www.example.org/dir/$1\n",
    );
    assert_reactions(
        &redirects,
        &[
            ("/old/x", "served"),
            ("/old/alias", "served"),
            ("/never", ""),
            ("/case", "served"),
            ("/gone", ""),
            ("/handler/x", "served"),
            ("/a b", "served"),
            ("/look", "served"),
            ("/loo", ""),
            ("/moved/x", "served"),
            ("/sub/a", "/to"),
            ("/sub/b", ""),
            ("/sub/c", "served"),
            ("/off/x", ""),
            ("/dir/x", ""),
            ("/other", ""),
        ],
    );
}

#[test]
fn too_many_rules_are_left_to_the_server() {
    let rules = |count| htaccess(&"Redirect /a /b\n".repeat(count));
    assert_reactions(&rules(MAX_RULES), &[("/a", "/b"), ("/c", "")]);
    assert_reactions(&rules(MAX_RULES + 1), &[("/a", "served"), ("/c", "served")]);
}

#[test]
fn sections_apply_if_their_modules_would() {
    let redirects = htaccess(
        "<IfModule mod_alias.c>\nRedirect /a /1\n</IfModule>\n\
         <IfModule !mod_rewrite.c>\nRedirect /b /2\n<IfModule x>\nRedirect /b /2\n</IfModule>\n</IfModule>\n\
         <If \"%{TIME} > 1\">\nRedirect /c /3\n</If>\n<Files ~ x>\n<IfModule x>\nRedirect /d /4\n</IfModule>\n</Files>\n\
         </Files>\nRedirect /e /5\n",
    );
    assert_reactions(
        &redirects,
        &[
            ("/a", "/1"),
            // The server may have the module or not.
            ("/b", "served"),
            ("/c", "served"),
            ("/d", "served"),
            ("/e", "/5"),
        ],
    );
}

#[test]
fn fallback_serves_all_paths_of_its_directory() {
    let mut redirects = htaccess("FallbackResource /index.php\n");
    redirects.add_htaccess(b"/static/".to_vec(), "FallbackResource disabled\n");
    assert_reactions(
        &redirects,
        &[("/x/y", "served"), ("/static/x", ""), ("/static", "served")],
    );
}
