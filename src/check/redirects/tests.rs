//! The reactions that files declare, as Apache and Netlify document their directives.

use super::*;

/// Returns the reactions to a path in a site with the files `there.html` and `dir/there.html`, as text.
fn reactions(redirects: &Redirects, path: &str) -> Vec<String> {
    reactions_of_host(redirects, "example.org", path)
}

fn reactions_of_host(redirects: &Redirects, authority: &str, path: &str) -> Vec<String> {
    let found = redirects.reactions(&Request {
        authority,
        path: path.as_bytes(),
        is_file: &|path| {
            let is_below = !path.starts_with(b"/other/");
            is_below.then_some(matches!(path, b"/there.html" | b"/dir/there.html"))
        },
        is_directory: &|path| Some(matches!(path, b"/" | b"/dir" | b"/dir/")),
    });
    let text = |Reaction { action, is_certain }| {
        let action = match action {
            Action::Forward(to) => to,
            Action::Serve => "served".to_owned(),
            Action::Fail => "error".to_owned(),
        };
        format!("{action}{}", if is_certain { "" } else { "?" })
    };
    found.into_iter().map(text).collect()
}

fn htaccess(file: &str) -> Redirects {
    let mut redirects = Redirects::default();
    redirects.add_htaccess(b"/".to_vec(), file);
    redirects
}

fn assert_reactions(redirects: &Redirects, cases: &[(&str, &[&str])]) {
    for (path, expected) in cases {
        assert_eq!(reactions(redirects, path), *expected, "{path}");
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
            ("/old", &["/new"]),
            ("/old/", &["/new"]),
            ("/old/x", &[]),
            ("/blog/a b/c", &["/posts/a%20b/c"]),
            ("/blog", &["/posts/"]),
            ("/u/7", &["/users/7/x"]),
            ("/u/7/8", &[]),
            ("/q", &["/r"]),
            ("/app/a", &["served"]),
            ("/404/a", &["error"]),
            ("/new", &[]),
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
            ("/moved/a b", &["https://h//a%20b"]),
            ("/perm", &["/x"]),
            ("/perm/y", &["/x/y"]),
            ("/permanent", &[]),
            ("/gone", &["error"]),
            ("/number/x", &["error"]),
            ("/slash/a", &["/toa"]),
            ("/slash", &[]),
            ("/wrong", &[]),
            ("/temp", &["/y"]),
            ("/comment", &[]),
            ("/long", &["/joined"]),
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
            (
                "/old/12-a b.html",
                &["https://example.org/posts/a%20b/#n12"],
            ),
            ("/old/x-a.html", &[]),
            ("/x.gif", &["/pictures.gif.png"]),
            ("/x.bak", &["error"]),
            ("/a b/?#", &["/c/%3F%23"]),
            ("/cost/x", &["/$1/x/"]),
            ("/look/old", &["served?"]),
            ("/other", &[]),
        ],
    );
}

#[test]
fn rewrite_rule_redirects_in_its_directory() {
    let mut redirects = htaccess(
        r"RewriteEngine On
RewriteRule ^old/(.*)$ new/$1 [R=301,L]
RewriteRule ^/never$ /x [R]
RewriteRule ^abs$ https://other.example/%{REQUEST_URI} [L]
RewriteRule ^fragment$ /page.html#top [R]
RewriteRule ^named$ /page.html?x=1#top [NE,R,QSA]
RewriteRule ^CASE$ /lower [R,NC]
RewriteRule ^gone - [G]
RewriteRule ^forbidden - [F,L]
RewriteRule ^status - [R=404]
RewriteRule ^kept - [L]
RewriteRule ^kept/x /unreachable [R]
RewriteRule ^a\ b$ /space [R]
RewriteRule !^(there|dir|sub|index|x|page) /all [R]
",
    );
    redirects.add_htaccess(
        b"/sub/".to_vec(),
        "RewriteEngine On\nRewriteRule ^a$ b [R]\nRedirect /sub/alias /to\n",
    );
    redirects.add_htaccess(
        b"/dir/".to_vec(),
        "RewriteEngine on\nRewriteBase /base\nRewriteOptions Inherit\nRewriteRule ^a$ b [R]\n",
    );
    redirects.add_htaccess(
        b"/page/".to_vec(),
        "RewriteEngine off\nRewriteRule . /x [R]\n",
    );
    assert_reactions(
        &redirects,
        &[
            ("/old/a b", &["/new/a%20b"]),
            ("/abs", &["https://other.example//abs"]),
            ("/fragment", &["/page.html%23top"]),
            ("/named", &["/page.html"]),
            ("/case", &["/lower"]),
            ("/gone", &["error"]),
            ("/forbidden", &["error"]),
            ("/status", &["error"]),
            ("/kept/x", &[]),
            ("/a b", &["/space"]),
            ("/other", &["/all"]),
            ("/sub/a", &["/sub/b"]),
            ("/sub/other", &[]),
            ("/sub/alias/x", &["/to/x"]),
            ("/dir/a", &["/base/b"]),
            ("/dir/old/", &["/base/new/"]),
            ("/dir/there", &[]),
            ("/dir/gone", &["error"]),
            ("/page/x", &[]),
        ],
    );
}

#[test]
fn rewrite_rule_without_redirect_serves_other_files() {
    let redirects = htaccess(
        r"RewriteEngine On
RewriteRule ^(page/[^.]+)$ $1.html [L]
RewriteRule ^app/ index.html [L]
RewriteRule ^program/(.*)$ run.php?path=$1 [L]
RewriteRule ^proxy/(.*)$ http://localhost/$1 [P]
RewriteRule ^map/(.*)$ ${lower:$1} [R]
RewriteRule ^skip/ - [S=2]
RewriteRule ^handler/ - [H=some-program]
RewriteRule ^chain/ - [C]
RewriteRule ^(chain|next)/(.*)$ /$2 [R]
RewriteRule ^next/ /certain [R]
RewriteRule ^look(?=x) /y [R]
RewriteRule ^possessive(.*+) /$1 [R]
",
    );
    assert_reactions(
        &redirects,
        &[
            ("/page/a b", &["/page/a%20b.html"]),
            ("/page/a.b", &[]),
            ("/app/route", &["served"]),
            ("/program/x", &["served"]),
            ("/proxy/x", &["served"]),
            ("/map/X", &["served"]),
            ("/skip/x", &["served"]),
            ("/handler/x", &["served"]),
            ("/chain/x", &["served"]),
            ("/next/x", &["/x?", "/certain"]),
            ("/look", &["/y?"]),
            ("/possessive/x", &["served?"]),
        ],
    );
}

#[test]
fn conditions_that_are_not_known_make_a_rule_uncertain() {
    let redirects = htaccess(
        r"RewriteEngine On
RewriteCond %{HTTPS} off
RewriteRule ^(.*)$ https://%{HTTP_HOST}%{REQUEST_URI} [R=301,L]
RewriteCond %{HTTP_HOST} !^www\. [NC]
RewriteRule ^(.*)$ https://www.%{HTTP_HOST}/$1 [R=301,L]
RewriteCond %{REQUEST_FILENAME} !-f
RewriteCond %{REQUEST_FILENAME}.html -f
RewriteRule ^(.*)$ $1.html [L]
RewriteCond %{HTTP_USER_AGENT} Mobile [OR]
RewriteCond %{REQUEST_URI} ^/either/
RewriteRule /(.*) /mobile/$1 [R]
RewriteCond %{REQUEST_URI} ^/from/(.*)$
RewriteRule . /to/%1 [R]
RewriteCond %{REQUEST_FILENAME} -d
RewriteRule . /directory [R]
RewriteCond %{REQUEST_URI} =/equal
RewriteCond %{QUERY_STRING} id=(\d+)
RewriteRule . /id/%1 [R]
",
    );
    let secure = "https://example.org";
    for (path, expected) in [
        ("/there", &["/there.html"][..]),
        ("/either/x", &["/mobile/x"]),
        ("/m/x", &["/mobile/x?"]),
        ("/from/a", &["/mobile/a?", "/to/a"]),
        ("/dir/", &["/mobile/?", "/directory"]),
        ("/equal", &["served?"]),
        ("/other", &[]),
    ] {
        let scheme = format!("{secure}{path}?");
        let expected: Vec<&str> = [&*scheme]
            .into_iter()
            .chain(expected.iter().copied())
            .collect();
        assert_eq!(reactions(&redirects, path), expected, "{path}");
    }
}

#[test]
fn conditions_about_the_host_are_judged_if_it_is_known() {
    let redirects = htaccess(
        r"RewriteEngine On
RewriteCond %{HTTP_HOST} !^www\.
RewriteRule ^(.*)$ https://www.%{HTTP_HOST}/$1 [R=301,L]
RewriteCond %{HTTP_HOST} ^old\.example$
RewriteRule ^(.*)$ https://new.example/$1 [R=301,L]
RewriteCond %{HTTP_HOST} ^old\.example$
RewriteRule ^a$ /b [R]
",
    );
    for (authority, expected) in [
        // With `www`, the site is the same place.
        ("example.org", &[][..]),
        ("www.example.org", &[]),
        ("old.example", &["https://new.example/a"]),
        ("absolve.invalid", &["/b?"]),
    ] {
        let found = reactions_of_host(&redirects, authority, "/a");
        assert_eq!(found, expected, "{authority}");
    }
}

#[test]
fn conditions_about_files_are_judged_in_the_site_only() {
    let redirects = htaccess(
        r"RewriteCond %{REQUEST_FILENAME}.html -f
RewriteRule ^(.*?)/?$ $1.html [L]
RewriteCond %{REQUEST_FILENAME} -s
RewriteRule ^size$ /a [R]
RewriteCond /var/www/cache/$1 -f
RewriteRule ^cache/(.*)$ /b [R]
RewriteCond %{DOCUMENT_ROOT}/other/$1 -f
RewriteRule ^outside/(.*)$ /c [R]
RewriteCond %{DOCUMENT_ROOT}/dir/$1 !-f
RewriteRule ^inside/(.*)$ /d [R]
RewriteCond %{REQUEST_FILENAME} \.(gif|png)$
RewriteRule ^image - [G]
RewriteCond %{REQUEST_FILENAME} !/srv/
RewriteRule ^root$ /e [R]
RewriteCond %{REQUEST_FILENAME} srv|\.html$
RewriteRule ^srv /f [R]
RewriteCond %{REQUEST_FILENAME} =/equal
RewriteRule ^equal$ /g [R]
RewriteCond %{HTTP_COOKIE} (.) [OR]
RewriteCond %{REQUEST_URI} ^/group/(.)
RewriteRule ^group/ /%1 [R]
",
    );
    assert_reactions(
        &redirects,
        &[
            ("/there", &["/there.html"]),
            // The file is `/there`, and the slash is `PATH_INFO`.
            ("/there/", &["/there.html"]),
            ("/dir/there/", &["/dir/there.html"]),
            ("/absent", &[]),
            ("/size", &["/a?"]),
            ("/cache/x", &["/b?"]),
            ("/outside/x", &["/c?"]),
            ("/inside/x", &["/d"]),
            ("/inside/there.html", &[]),
            ("/image.png", &["error"]),
            ("/image.css", &[]),
            ("/root", &["/e?"]),
            ("/srv", &["/f?"]),
            ("/srv.html", &["/f?"]),
            ("/equal", &["/g?"]),
            ("/group/x", &["served"]),
        ],
    );
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
            ("/a", &["/1"]),
            // The server may have the module or not.
            ("/b", &["/2?", "/2?"]),
            ("/c", &["/3?"]),
            ("/d", &["/4?"]),
            ("/e", &["/5"]),
        ],
    );
}

#[test]
fn fallback_serves_all_paths_of_its_directory() {
    let mut redirects = htaccess("FallbackResource /index.php\n");
    redirects.add_htaccess(b"/static/".to_vec(), "FallbackResource disabled\n");
    assert_reactions(
        &redirects,
        &[
            ("/x/y", &["served"]),
            ("/static/x", &[]),
            ("/static", &["served"]),
        ],
    );
}
