"""The findings in a directory are those of the command."""

import json
import os
import subprocess

import absolve
import pytest

import support

SITE = {
    "index.html": "<h1 id=top>x</h1><a href=about.html#team>a</a><a href=About.html>b</a><a href=/docs/gone/>c</a><a href=old>d</a>",
    "about.html": "<h2 id=teem>t</h2><p>\N{LATIN SMALL LETTER U WITH DIAERESIS}<a href=d/>d</a> <img src=../../../x.png>\n<a href=d/page>p</a>",
    "d/page.html": "<base href=/docs/d><a href=http:/x>m</a><!-- absolve-ignore missing-target --><a href=gone>g</a>\n<a href={{x}}>y</a>",
    "d/index.htm": "<a href=../index.html#top>t</a><a href=../index.html#bottom>b</a>",
    "s.css": "a { background: url(i.png) } b { background: url(/docs/d/i.png) }",
    "feed.xml": "<rss><channel><link>http://h.example/docs/</link><item><link>/docs/gone</link></item></channel></rss>",
    "data.xml": "<data><a href='gone'/></data>",
    "feed.json": '{"version": "https://jsonfeed.org/version/1.1", "title": "t", "items": [{"id": "1", "url": "gone.html"}]}',
    "data.json": '{"url": "gone"}',
    "mail.eml": "MIME-Version: 1.0\nContent-Location: http://h.example/docs/mail\nContent-Type: text/html\n\n<a href=gone>x</a><a href=http:/y>",
    "a.warc": "WARC/1.0\nWARC-Type: response\nWARC-Target-URI: http://h.example/docs/a\nContent-Type: application/http\n"
    "Content-Length: 65\n\nHTTP/1.1 200 OK\nContent-Type: text/html\n\n<base href=b/><a href=c>\n\n",
    "bad.xhtml": "<html xmlns='http://www.w3.org/1999/xhtml'><a href='gone'>a & b</a></html>",
    "_redirects": "/docs/old /docs/ 301\n",
    "node_modules/m.html": "<a href=gone>",
    ".absolveignore": "d/\n",
    "i.png": "no image",
}

CASES = [
    ([], {}),
    (["--url", "http://h.example/docs/"], {"url": "http://h.example/docs/"}),
    (["--base-path", "/docs"], {"base_path": "/docs"}),
    (["--url", "http://h.example/docs", "--clean-urls"], {"url": "http://h.example/docs", "clean_urls": True}),
    (["--url", "http://h.example/docs/", "--select", "missing-target,missing-fragment"], {"url": "http://h.example/docs/", "select": ["missing-target", "missing-fragment"]}),
    (["--url", "http://h.example/docs/", "--ignore", "missing-target"], {"url": "http://h.example/docs/", "ignore": "missing-target"}),
    (["--url", "http://h.example/docs/", "--warn", "missing-fragment,placeholder"], {"url": "http://h.example/docs/", "warn": "missing-fragment,placeholder"}),
    (["--url", "http://h.example/docs/", "--exclude", "node_modules", "--ignore-files"], {"url": "http://h.example/docs/", "exclude": "node_modules", "ignore_files": True}),
    (["--url", "http://h.example/docs/", "--include", "*.html"], {"url": "http://h.example/docs/", "include": ["*.html"]}),
    (["--url", "http://h.example/docs/", "--profile", "whatwg", "--lenient"], {"url": "http://h.example/docs/", "profile": "whatwg", "lenient": True}),
    (["--default-base", "http://g.example/", "--encoding", "latin1"], {"default_base": "http://g.example/", "encoding": "latin1"}),
    (["--url", "http://h.example/docs/", "--follow"], {"url": "http://h.example/docs/", "follow": True}),
]

KEYS = ("path", "entity", "rule", "severity", "message", "help", "start", "end", "line", "column", "reference")


@pytest.fixture
def site(tmp_path):
    support.write(tmp_path / "site", SITE)
    support.write(tmp_path, {"elsewhere/e.html": "<a href=gone>"})
    (tmp_path / "site" / "link").symlink_to(tmp_path / "elsewhere")
    return tmp_path / "site"


def of_the_command(folder, *arguments):
    command = [support.command(), "check", folder, "--format", "json", *arguments]
    result = subprocess.run(command, capture_output=True, text=True)
    return [{key: finding.get(key) for key in KEYS} for finding in json.loads(result.stdout)], result


@pytest.mark.parametrize(("arguments", "options"), CASES, ids=lambda value: " ".join(value) if isinstance(value, list) else "")
@pytest.mark.parametrize("threads", [1, 3])
def test_the_findings_are_those_of_the_command(site, arguments, options, threads):
    expected, result = of_the_command(site, *arguments)
    report = absolve.check_site(site, threads=threads, **options)
    assert [{key: getattr(finding, key) for key in KEYS} for finding in report.findings] == expected
    assert expected
    unread = [problem.path for problem in report.problems if "not checked" in problem.message]
    assert unread == [str(site / "bad.xhtml")] * ("bad.xhtml" in result.stderr)
    assert f"documents: {report.documents}," in result.stderr or f"of {report.documents} documents" in result.stderr
    suppressed = f"suppressed: {report.suppressed}" if report.suppressed else "suppressed"
    assert (suppressed in result.stderr) == bool(report.suppressed)


def test_links_that_lead_nowhere_are_found(site):
    findings = absolve.check_site(site, "http://h.example/docs/", select="missing-target", exclude=["node_modules", "feed.*"]).findings
    found = {(os.path.relpath(finding.path, site), finding.reference) for finding in findings}
    assert found == {("index.html", "About.html"), ("index.html", "/docs/gone/"), ("about.html", "d/page"), ("s.css", "/docs/d/i.png"), ("mail.eml", "gone"), ("a.warc", "c")}


def test_a_container_that_cannot_be_read_is_a_problem(tmp_path):
    support.write(tmp_path, {"a.warc": "WARC/1.0\nContent-Length: 9\n\nshort", "b.mbox": "no mailbox"})
    problems = absolve.check_site(tmp_path).problems
    assert [os.path.basename(problem.path) for problem in problems] == ["a.warc", "b.mbox"]


def test_a_page_that_refreshes_has_the_fragments_of_its_target(tmp_path):
    refresh = "<meta http-equiv=refresh content='0; url=new.html'>"
    support.write(tmp_path, {"index.html": "<a href=old.html#part>p</a>", "old.html": refresh, "new.html": "<p id=part>"})
    url = "http://h.example/"
    assert absolve.check_site(tmp_path, url).findings == []
    assert of_the_command(tmp_path, "--url", url)[0] == []


def test_pages_of_the_corpora():
    site = support.corpora() / "site"
    folder = next(path for path in sorted(site.iterdir()) if path.is_dir())
    expected, _ = of_the_command(folder, "--base-path", "/")
    report = absolve.check_site(folder, base_path="/")
    assert [{key: getattr(finding, key) for key in KEYS} for finding in report.findings] == expected
    assert report.documents > 50


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"url": "docs"}, "^url: .*use the URL that the directory is published under"),
        ({"url": "http://h/?q"}, "^url: directory URL with a query"),
        ({"base_path": "docs"}, "^base_path: .*begins with a slash"),
        ({"url": "http://h/", "base_path": "/"}, "^base_path: .*use one of url and base_path"),
        ({"select": "x"}, "^select: unknown rule"),
        ({"exclude": "a[b"}, "^exclude: "),
        ({"encoding": "x"}, "^encoding: "),
    ],
)
def test_invalid_options(site, options, message):
    with pytest.raises(ValueError, match=message):
        absolve.check_site(site, **options)


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        absolve.check_site(tmp_path / "missing")
    assert caught.value.filename == str(tmp_path / "missing")


def test_a_file_of_another_format_is_not_checked(tmp_path):
    support.write(tmp_path, {"index.html": "<a href=gone>", "paper.html": "%PDF-1.7 <a href=gone>"})
    report = absolve.check_site(tmp_path)
    assert [finding.path for finding in report.findings] == [str(tmp_path / "index.html")]
    [problem] = report.problems
    assert (problem.path, problem.message) == (str(tmp_path / "paper.html"), "not checked: not a document that is read (PDF)")
    _, result = of_the_command(tmp_path)
    assert "not a document that is read (PDF)" in result.stderr


def test_files_that_cannot_be_read_do_not_stop_the_others(site):
    os.mkfifo(site / "pipe.html")
    report = absolve.check_site(site, "http://h.example/docs/")
    assert (str(site / "pipe.html"), "not a regular file") in [(problem.path, problem.message) for problem in report.problems]
    assert report.documents > 5
