"""Downloaded folders that are converted: the files are those of the command, and nothing is lost on an error."""

import os
import pathlib
import re
import shutil
import signal
import stat
import subprocess
import sys
import textwrap

import absolve
import pytest

import support

WGET = {
    "h.example/index.html": "<base href=/><a href=/p?q=1>p</a> <a href=/gone>g</a> <a href=#top>t</a><link rel=canonical href=/>",
    "h.example/p?q=1": "<html><a href=/>home</a> <a href='{{ x }}'>t</a></html>",
    "h.example/s.css": "a { background: url(/i.png) }",
    "h.example/i.png": "<html> no page",
    "h.example/notes": "no page: <a href=/>",
    "h.example/plain.html": "<p>without links",
    "h.example/old.html": "<a href=https://g.example/x.html>x</a>",
    "h.example/old.html.orig": "<html> the original",
    "g.example/x.html": "<meta charset=iso-8859-1><a href=http://h.example/s.css title='\N{LATIN SMALL LETTER E WITH ACUTE}'>s</a><a href=/y>y</a><div data-src=/i.png>",
    "readme.html": "<a href=/>of no host</a>",
}
HTTRACK = {
    "hts-cache/new.txt": "header\n1\t2\t3\t4\t5\t6\t7\thttp://h.example/x?y=z\t/home/me/h.example/x-2.html\t(from )\n",
    "h.example/index.html": "<!-- Mirrored from h.example/ by HTTrack Website Copier/3.x [XR&CO'2014], x --><a href=http://h.example/x?y=z>x</a>",
    "h.example/x-2.html": "<a href=index.html>i</a>",
}
SITE = {"index.html": "<a href=about>a</a><a href=https://h.example/d/>i</a>", "about.html": "<a href=/d/>i</a>"}

# The files, the part of the folder to convert, options of the command, and the same for Python.
CASES = [
    (WGET, "", [], {}),
    (WGET, "", ["--all", "--fragments", "resolve"], {"all": True, "fragments": "resolve"}),
    (WGET, "", ["--url", "http://h.example/", "--layout", "wget"], {"url": "http://h.example/", "layout": "wget"}),
    (WGET, "h.example", [], {}),
    (WGET, "g.example", ["--url", "http://g.example/"], {"url": "http://g.example/"}),
    (WGET, "", ["--preset", "lazy", "--skip", "a[href]", "-j", "1"], {"preset": "lazy", "skip": "a[href]", "threads": 1}),
    (WGET, "", ["--link", "div[data-src]=url", "--escape", "none"], {"link": {"div[data-src]": "url"}, "escape": "none"}),
    (WGET, "", ["--profile", "whatwg", "--base-scope", "head"], {"profile": "whatwg", "base_scope": "head"}),
    ({**WGET, "h.example/i.html": "<base href=http://g.example/><a href=x>x</a>"}, "", ["--base-origin", "same"], {"base_origin": "same"}),
    ({**WGET, "h.example/i.html": "<a href=/web/20200903005938/http://h.example/sub/></a>"}, "", ["--unwrap", "wayback"], {"unwrap": "wayback"}),
    (WGET, "", ["--encoding", "windows-1252", "--placeholders", "<%"], {"encoding": "windows-1252", "placeholders": ["<%"]}),
    (WGET, "", ["--limit", "base-length=20"], {"limit": {"base-length": 20}}),
    (WGET, "", ["--exclude", "s.css", "--exclude", "/g.example/"], {"exclude": ["s.css", "/g.example/"]}),
    (WGET, "", ["--include", "*.html"], {"include": "*.html"}),
    ({"a.html": "<!-- saved from url=(0019)http://h.example/a --><a href=http://h.example/b>b</a>",
      "b.html": "<!-- saved from url=(0019)http://h.example/b --><a href=/a>a</a>"}, "", ["--layout", "saved"], {"layout": "saved"}),
    ({**WGET, ".gitignore": "s.css"}, "", ["--ignore-files"], {"ignore_files": True}),
    (WGET, "", ["--log", "log"], {"log": "log"}),
    ({**WGET, "h.example/i.html": "<script crossorigin src=/s.css integrity=sha256-x></script>"}, "", [], {}),
    ({**WGET, "h.example/i.html": "<script src=/s.css integrity=sha256-x></script>"}, "", ["--integrity", "keep"], {"integrity": "keep"}),
    ({**WGET, "h.example/f.xhtml": "<html xmlns='http://www.w3.org/1999/xhtml'><a href='/gone'>a & b</a></html>"}, "", ["--lenient"], {"lenient": True}),
    (HTTRACK, "", [], {}),
    (SITE, "", ["--base-path", "/d", "--layout", "site"], {"base_path": "/d", "layout": "site"}),
    ({**WGET, "h.example/default.htm": "<a href=/>i</a>"}, "", ["--default-page", "default.htm"], {"default_page": "default.htm"}),
    (SITE, "", ["--url", "https://h.example/d/", "--layout", "site"], {"url": "https://h.example/d/", "layout": "site"}),
]


def create(folder, files):
    support.write(folder, files)
    for number, path in enumerate(sorted(folder.rglob("*"))):
        os.utime(path, (1_000_000_000 + number, 1_000_000_000 + number))
    (folder / "empty").mkdir()
    (folder / "link").symlink_to("empty")
    return folder


def contents(folder):
    """Returns the files of a folder: content, mode and link. The time is that of the download, or another one."""
    found = {}
    for path in sorted(folder.rglob("*")):
        status = path.lstat()
        is_old = 1_000_000_000 <= status.st_mtime < 1_100_000_000
        if path.is_symlink():
            content = os.readlink(path)
        else:
            content = None if path.is_dir() else (path.read_bytes(), is_old, status.st_nlink)
        found[str(path.relative_to(folder))] = (stat.filemode(status.st_mode), content)
    return found


def command(*arguments):
    return subprocess.run([support.command(), "mirror", *arguments], capture_output=True, text=True)


def figures(result):
    """Returns the counts of `--stats`: documents, changed documents, other files, links by outcome, skipped links."""
    statistics = result.stderr.replace("absolve: ", "")
    numbers = re.search(r"^documents: (\d+), changed: (\d+)(?:; other files: (\d+))?", statistics, re.MULTILINE)
    links = re.search(r"^links: \d+; resolved: (\d+), absolute: (\d+), skipped: (\d+)", statistics, re.MULTILINE)
    skipped = re.search(r"^skipped: (.*)", statistics, re.MULTILINE)
    pairs = (item.split(": ") for item in skipped[1].split(", ")) if skipped else ()
    counts = [int(number or 0) for number in numbers.groups() + links.groups()]
    return counts, {name: int(count) for name, count in pairs}


def figures_of(report):
    counts = [report.counts[name] for name in ("resolved", "absolute", "skipped")]
    return [report.documents, len(report.changed_files), report.others, *counts], report.skipped


LOG = """\
--2026-01-02 03:04:05--  http://h.example/p?q=1
Resolving h.example (h.example)... 127.0.0.1
HTTP request sent, awaiting response... 302 Found
Location: http://h.example/d/moved [following]
--2026-01-02 03:04:05--  http://h.example/d/moved
HTTP request sent, awaiting response... 200 OK
Length: 53 [text/html]
Saving to: \u2018h.example/p?q=1\u2019

"""


@pytest.fixture(autouse=True)
def log(tmp_path, monkeypatch):
    """A log of wget in the current directory."""
    (tmp_path / "log").write_text(LOG, encoding="utf-8")
    monkeypatch.chdir(tmp_path)


@pytest.fixture(params=CASES, ids=lambda case: f"{len(case[0])}-{case[1]}-{' '.join(case[2])}")
def case(request):
    return request.param


@pytest.mark.parametrize("others", ["copy", "link", "skip"])
def test_output(case, others, tmp_path):
    files, part, arguments, options = case
    folder = create(tmp_path / "m", files) / part
    before = contents(folder)
    result = command(folder, "-o", tmp_path / "by-command", "--stats", "--others", others, *arguments)
    assert result.returncode == 0, result.stderr
    expected = contents(tmp_path / "by-command")
    # Hard links are counted, so they must not be those of the other output.
    shutil.rmtree(tmp_path / "by-command")
    report = absolve.mirror(folder, tmp_path / "by-python", others=others, **options)
    assert contents(tmp_path / "by-python") == expected
    assert figures_of(report) == figures(result)
    assert [problem.path for problem in report.problems] == re.findall(r"^absolve: (.*): left unchanged: not in", result.stderr, re.MULTILINE)
    shutil.rmtree(tmp_path / "by-python")
    assert contents(folder) == before


@pytest.mark.parametrize("backup", [None, ".before"])
def test_in_place(case, backup, tmp_path):
    files, part, arguments, options = case
    folders = [create(tmp_path / name, files) / part for name in ("1", "2")]
    for folder in folders:
        # The name of the folder may be that of the host.
        assert folder.name == part or not part
    checked = command(folders[0], "--check", *arguments)
    report = absolve.mirror(folders[1], check=True, **options)
    assert contents(folders[1]) == contents(folders[0])
    assert [path.replace(str(folders[1]), str(folders[0])) for path in report.changed_files] == checked.stdout.splitlines()
    result = command(folders[0], "-i", "--stats", *arguments, *(["--backup", backup] if backup else []))
    assert result.returncode == 0, result.stderr
    report = absolve.mirror(str(folders[1]), in_place=True, backup=backup, **options)
    assert contents(folders[1]) == contents(folders[0])
    assert figures_of(report) == figures(result)
    assert report.changed_files
    # Converting again changes nothing.
    if backup is None:
        assert absolve.mirror(folders[1], in_place=True, **options).changed_files == []


def test_a_problem_of_a_file_does_not_stop_the_others(tmp_path):
    folder = create(tmp_path / "m", WGET)
    (folder / "h.example" / "outside").symlink_to("/etc/passwd")
    os.mkfifo(folder / "h.example" / "pipe.html")
    output = tmp_path / "out"
    (output / "elsewhere").mkdir(parents=True)
    (output / "g.example").symlink_to("elsewhere")
    report = absolve.mirror(folder, output)
    problems = {os.path.relpath(problem.path, tmp_path): problem.message for problem in report.problems}
    assert problems == {
        "m/h.example/pipe.html": "not a regular file",
        "out/g.example": "symbolic link in the place of a directory; remove it, or use another output directory",
        "m/g.example/x.html": "cannot write: unusable directory",
        "m/h.example/outside": "cannot copy: symbolic link to a place outside the directory; follow symbolic links, or replace it with its target",
        "m/readme.html": "left unchanged: not in a directory named after a host; convert its directory with a URL",
    }
    assert os.listdir(output / "elsewhere") == []
    assert (output / "h.example" / "old.html").exists()


def test_the_report_has_the_warnings_of_the_command(tmp_path):
    folder = create(tmp_path / "m", {**WGET, "h.example/archive.html": "PK\x03\x04"})
    result = command(folder, "--check")
    report = absolve.mirror(folder, check=True)
    assert [f"absolve: {note}; see --log" for note in report.notes] == result.stderr.splitlines()[:1]
    assert report.others == 1
    [problem] = [problem for problem in report.problems if problem.path.endswith("archive.html")]
    assert "left unchanged: unsupported format (ZIP" in problem.message
    assert f"absolve: {problem.path}: {problem.message}" in result.stderr.splitlines()
    download = create(tmp_path / "d", {**HTTRACK, "hts-in_progress.lock": ""})
    [note] = absolve.mirror(download, check=True).notes
    assert f"absolve: {note}" in command(download, "--check").stderr.splitlines()
    site = create(tmp_path / "s", {"index.html": "<base href=/d/sub/><a href=../../out>o</a>"})
    result = command(site, "--check", "--base-path", "/d", "--layout", "site")
    report = absolve.mirror(site, check=True, base_path="/d", layout="site")
    assert report.notes == []
    assert [problem.message for problem in report.problems] == ["BASE removed, which changes the target of links left unchanged: 1"]
    assert "BASE removed, which changes the target of 1 relative reference left unchanged" in result.stderr


def test_the_log_has_the_urls_of_redirected_pages(tmp_path):
    folder = create(tmp_path / "m", {**WGET, "h.example/p?q=1": "<html><a href=x>x</a> <a href=../s.css>s</a></html>"})
    expected = {None: "<a href=https://h.example/x>x</a> <a href=s.css>s</a>", "log": "<a href=https://h.example/d/x>x</a> <a href=s.css>s</a>"}
    for log, links in expected.items():
        output = tmp_path / f"out-{log}"
        absolve.mirror(folder, output, log=log, sync=True)
        text = (output / "h.example" / "p?q=1").read_text()
        assert text.replace("http:", "https:") == f"<html>{links}</html>"
    with pytest.raises(FileNotFoundError) as caught:
        absolve.mirror(folder, check=True, log="missing")
    assert caught.value.filename == "missing"


def test_links_that_lose_their_file_are_counted(tmp_path):
    # By the log, the URL of the page is elsewhere, where most of its links lead to files.
    page = "<html><a href=a.html>a</a><a href=b.html>b</a><a href=s.css>s</a></html>"
    files = {"h.example/d/a.html": "", "h.example/d/b.html": "", "h.example/p?q=1": page}
    folder = create(tmp_path / "m", {**WGET, **files})
    result = command(folder, "--check", "--log", "log")
    lost = re.search(r"(\d+) links? to a file of another URL became absolute", result.stderr)
    report = absolve.mirror(folder, check=True, log="log")
    assert report.lost == int(lost[1]) == 1
    assert absolve.mirror(folder, check=True).lost == 0


def test_links_are_followed_on_request(tmp_path):
    folder = create(tmp_path / "m", WGET)
    support.write(tmp_path / "elsewhere", {"e.html": "<a href=/>"})
    (folder / "h.example" / "outside").symlink_to(tmp_path / "elsewhere")
    report = absolve.mirror(folder, tmp_path / "out", follow=True)
    assert [problem.path for problem in report.problems] == [str(folder / "readme.html")]
    assert (tmp_path / "out" / "h.example" / "outside" / "e.html").read_text() == "<a href=../index.html>"
    with pytest.raises(ValueError, match="follow: cannot be used with in_place"):
        absolve.mirror(folder, in_place=True, follow=True)
    with pytest.raises(ValueError, match="include: .*'?a\\[b"):
        absolve.mirror(folder, check=True, include="a[b")


def test_what_killed_runs_left_is_removed(tmp_path):
    # No process has this number.
    leftover = ".absolve-4194999-aB3xY9"
    folder = create(tmp_path / "m", {**WGET, f"h.example/{leftover}": "half"})
    output = tmp_path / "out"
    support.write(output, {f"h.example/{leftover}": "half", "h.example/other": "kept"})
    absolve.mirror(folder, output)
    assert not (output / "h.example" / leftover).exists()
    assert (output / "h.example" / "other").exists()
    absolve.mirror(folder, in_place=True)
    assert not (folder / "h.example" / leftover).exists()


def test_a_backup_is_never_replaced(tmp_path):
    folder = create(tmp_path / "m", {"h.example/index.html": "<a href=/>", "h.example/index.html.before": "other"})
    report = absolve.mirror(folder, in_place=True, backup=".before")
    [problem] = report.problems
    assert problem.path == str(folder / "h.example" / "index.html")
    assert "cannot back up the original" in problem.message
    assert report.documents == 0 and report.changed_files == []
    assert (folder / "h.example" / "index.html").read_text() == "<a href=/>"
    assert (folder / "h.example" / "index.html.before").read_text() == "other"


def test_a_missing_folder_is_named(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(FileNotFoundError) as caught:
        absolve.mirror(tmp_path / "missing", in_place=True)
    assert caught.value.filename == str(tmp_path / "missing")
    with pytest.raises(NotADirectoryError, match=re.escape(str(tmp_path / "file"))):
        absolve.mirror(tmp_path / "file", in_place=True)


def test_an_output_that_cannot_be_written_is_named(tmp_path):
    folder = create(tmp_path / "m", WGET)
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(NotADirectoryError, match=re.escape(str(tmp_path / "file"))):
        absolve.mirror(folder, tmp_path / "file")
    with pytest.raises(OSError) as caught:
        absolve.mirror(folder, tmp_path / "file" / "out")
    assert caught.value.filename == str(tmp_path / "file" / "out")


def test_an_output_that_would_lose_data_is_rejected(tmp_path):
    folder = create(tmp_path / "top" / "m", WGET)
    before = contents(tmp_path)
    (tmp_path / "link").symlink_to(folder)
    for output in (folder, tmp_path / "link", folder / ".." / "m", folder / "out", folder / "empty", tmp_path, tmp_path / "top"):
        with pytest.raises(ValueError, match="^output: "):
            absolve.mirror(folder, output)
    (tmp_path / "link").unlink()
    assert contents(tmp_path) == before


def test_archives_are_folders(tmp_path):
    def record(path, date, body, head="200 OK\r\nContent-Type: text/html\r\n"):
        block = f"HTTP/1.1 {head}\r\n{body}"
        fields = f"WARC-Type: response\r\nWARC-Target-URI: https://h.example{path}\r\nWARC-Date: {date}T00:00:00Z\r\n"
        fields += f"Content-Type: application/http\r\nContent-Length: {len(block)}\r\n"
        return f"WARC/1.1\r\n{fields}\r\n{block}\r\n\r\n"

    image = record("/i.png", "2026-01-01", "PNG", "200 OK\r\nContent-Type: image/png\r\n")
    gone = record("/moved", "2026-01-01", "", "301 Moved\r\nLocation: /b\r\n")
    page = record("/", "2026-01-01", "<a href=/b>b</a><a href=/moved>m</a><a href=gone>g</a><img src=i.png>")
    one, two = tmp_path / "one.warc", tmp_path / "two.warc"
    one.write_text(page + record("/b", "2026-01-02", "<a href=/>old</a>") + image, newline="")
    two.write_text(gone + record("/b", "2026-02-01", "<a href=/>new</a>") + page[:-9], newline="")
    for at in (None, "2026-01"):
        arguments = ["--at", at] if at else []
        result = command(one, two, "-o", tmp_path / "by-command", "--stats", *arguments)
        report = absolve.mirror([one, two], tmp_path / "by-python", at=at)
        assert contents(tmp_path / "by-python") == contents(tmp_path / "by-command")
        assert figures_of(report) == figures(result)
        (problem,) = report.problems
        assert problem.path == str(two) and f"{two}: {problem.message}" in result.stderr
        page_b = (tmp_path / "by-python" / "h.example" / "b.html").read_text()
        assert page_b == f"<a href=index.html>{'old' if at else 'new'}</a>"
        shutil.rmtree(tmp_path / "by-python")
        shutil.rmtree(tmp_path / "by-command")
    assert absolve.mirror(one, check=True).documents == 2
    for source, options, message in [
        ([one, two], {"in_place": True}, "^folder: use one folder, or archives$"),
        (one, {"check": True, "layout": "wget"}, "^layout: cannot be used with archives$"),
        (one, {"check": True, "at": "soon"}, "^at: not a date: \"soon\"; use one such as"),
        (tmp_path, {"check": True, "at": "2026"}, "^at: only for archives$"),
        ([tmp_path, tmp_path], {"check": True}, "^folder: use one folder, or archives$"),
    ]:
        with pytest.raises(ValueError, match=message):
            absolve.mirror(source, **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "^output: use one of output, in_place and check$"),
        ({"in_place": True, "check": True}, "^output: use one of"),
        ({"output": "x", "in_place": True}, "^output: use one of"),
        ({"check": True, "backup": ".orig"}, "^backup: .*in_place"),
        ({"in_place": True, "backup": ""}, "^backup: empty"),
        ({"in_place": True, "backup": "/x"}, "^backup: empty, or with a path separator: \"/x\"; use a suffix"),
        ({"in_place": True, "backup": ".html"}, "^backup: .*index.html.html is also a document"),
        ({"check": True, "sync": True}, "^sync: nothing is written with check$"),
        ({"check": True, "layout": "x"}, "^layout: unknown layout: \"x\"; use one of auto, wget, httrack, host-path, saved, site$"),
        ({"check": True, "others": "x"}, "^others: unknown value: \"x\"; use one of copy, link, skip$"),
        ({"check": True, "fragments": "x"}, "^fragments: .*resolve, keep, auto"),
        ({"check": True, "base_scope": "x"}, "^base_scope: .*head, document"),
        ({"check": True, "profile": "x"}, "^profile: .*rfc1808"),
        ({"check": True, "encoding": "x"}, "^encoding: unknown encoding"),
        ({"check": True, "url": "h.example"}, "^url: "),
        ({"check": True, "base_path": "/d"}, "^base_path: only for a static site: \"/d\"; use layout 'site', or url"),
        ({"check": True, "base_path": "d", "layout": "site"}, "^base_path: not a path: \"d\""),
        ({"check": True, "base_path": "/d", "layout": "site", "url": "http://h/"}, "^base_path: there is a URL, too"),
        ({"check": True, "default_page": "a/b"}, "^default_page: not a name: \"a/b\"; use the name of a file"),
        ({"check": True, "integrity": "update"}, "^integrity: unknown value: \"update\"; use one of remove, keep"),
        ({"check": True, "default_page": "x", "layout": "httrack"}, "^default_page: an option of wget: \"x\"; leave it out"),
        ({"check": True, "layout": "site"}, "^url: .*: no directory named after a host, and no URL given; use the URL that"),
    ],
)
def test_invalid_options(options, message, tmp_path):
    folder = create(tmp_path / "m", {"h.example/index.html": "<a href=/>", "h.example/index.html.html": "<a href=/>"})
    before = contents(folder)
    with pytest.raises(ValueError, match=message):
        absolve.mirror(folder, **options)
    assert contents(folder) == before


def test_options_of_other_functions_are_no_options(tmp_path):
    for name in ("to", "map", "base_element", "normalize", "default_base"):
        with pytest.raises(TypeError, match=name):
            absolve.mirror(tmp_path, check=True, **{name: None})


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_an_interrupt_leaves_every_file_old_or_new(tmp_path):
    page = "<title>x</title>" + "<a href=/>x</a>\n" * 2000
    support.write(tmp_path / "m", {f"h.example/{number}.html": page for number in range(1000)})
    support.write(tmp_path / "m", {"h.example/index.html": page})
    program = textwrap.dedent(
        """
        import os, signal, sys, threading, absolve
        try:
            threading.Timer(0.02, os.kill, (os.getpid(), signal.SIGINT)).start()
            absolve.mirror(sys.argv[1], in_place=True, threads=1)
        except KeyboardInterrupt:
            print("interrupted")
        """
    )
    result = subprocess.run([sys.executable, "-c", program, str(tmp_path / "m")], stdout=subprocess.PIPE, text=True, timeout=60)
    assert result.stdout == "interrupted\n"
    new = page.replace("href=/", "href=index.html")
    pages = [path.read_text() for path in (tmp_path / "m").rglob("*") if path.is_file()]
    assert len(pages) == 1001 and set(pages) <= {page, new}
