"""Python writes the bytes that the fixtures expect and that the command writes."""

import subprocess
import sys

import absolve
import pytest

import support

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

CASES = sorted(path.parent for group in ("rewrite", "regressions") for path in (support.FIXTURES / group).glob("*/case.toml"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parent.name}/{case.name}")
def test_fixture(case):
    settings = tomllib.loads((case / "case.toml").read_text())
    document, expected = (case / "input.html").read_bytes(), (case / "expected.html").read_bytes()
    assert absolve.rewrite(document, settings.get("url"), encoding=settings.get("encoding")) == expected


def test_every_fixture_is_there():
    assert len(CASES) > 80


def test_pages_of_the_corpora(tmp_path):
    """Real pages, each with the URL that it has in a directory that is published."""
    binary, corpora = support.command(), support.corpora()
    pages = [path for folder in ("pages", "site", "large") for path in (corpora / folder).rglob("*.html")]
    assert len(pages) > 700
    source = tmp_path / "in"
    source.mkdir()
    for number, page in enumerate(pages):
        (source / f"{number}.html").write_bytes(page.read_bytes())
    command = [binary, "rewrite", "-q", source, "--url", "https://host.example/d/", "-o", tmp_path / "out"]
    assert subprocess.run(command).returncode in (0, 1)
    documents = [(source / f"{number}.html").read_bytes() for number in range(len(pages))]
    jobs = [(document, f"https://host.example/d/{number}.html") for number, document in enumerate(documents)]
    rewriter = absolve.Rewriter()
    for number, (job, of_many) in enumerate(zip(jobs, rewriter.rewrite_many(jobs))):
        expected = (tmp_path / "out" / f"{number}.html").read_bytes()
        assert rewriter.rewrite(*job).content == expected, pages[number]
        assert of_many == expected, pages[number]


def test_the_kind_of_standard_input():
    """A document without a name has the kind that the command detects."""
    binary, corpora = support.command(), support.corpora()
    pages = sorted((corpora / "pages").rglob("*.html"))[::4]
    kinds = set()
    for page in pages:
        document = page.read_bytes()
        command = [binary, "rewrite", "-q", "--input-format", "auto", "--url", "http://h/d/", "-"]
        run = subprocess.run(command, input=document, capture_output=True)
        if b"\nWARC/" not in document[:20]:
            assert absolve.rewrite(document, "http://h/d/", kind="auto") == run.stdout, page
        kinds.add(absolve.rewrite(document, "http://h/d/") == run.stdout)
    assert kinds == {True, False}


BASE_URLS = [
    "http://h/",
    " http://h/ ",
    "http:/h/a",
    "http:h",
    "http://",
    "//h/a",
    "/a",
    "a",
    "",
    "file:/x/y",
    "file:///x",
    "mailto:x",
    "urn:a",
    "data:,x",
    "http://h h/",
    "C:\\dir\\a.html",
    "c:/dir/a.html",
    "C://h/a",
]


@pytest.mark.parametrize("profile", ["rfc1808", "rfc3986", "whatwg"])
def test_base_urls_are_those_of_the_command(profile, tmp_path):
    """Python accepts what the command accepts, and states the same problem."""
    page = tmp_path / "page.html"
    page.write_bytes(b"")
    options = [
        ("--url", "url", lambda url: absolve.links(b"", url, profile=profile)),
        ("--enclosing-base", "enclosing_base", lambda url: absolve.links(b"", enclosing_base=[url], profile=profile)),
        ("--default-base", "default_base", lambda url: absolve.links(b"", default_base=url, profile=profile)),
        ("--map", "map", lambda url: absolve.rewrite(b"", map={url: "http://h/"}, profile=profile)),
        ("--map", "map", lambda url: absolve.rewrite(b"", map={"http://h/": url}, profile=profile)),
    ]
    compared = 0
    for number, (option, name, call) in enumerate(options):
        for url in BASE_URLS:
            value = {3: f"{url}=http://h/", 4: f"http://h/={url}"}.get(number, url)
            verb = ["rewrite", "-o", "-"] if option == "--map" else ["links"]
            command = [support.command(), *verb, "--profile", profile, f"{option}={value}", page]
            run = subprocess.run(command, capture_output=True, text=True)
            assert run.returncode in (0, 1, 2)
            try:
                call(url)
            except ValueError as error:
                assert run.returncode == 2, (option, url, error)
                assert str(error).startswith(f"{name}: ")
                if option != "--map":
                    problem = run.stderr.splitlines()[0].rsplit(": ", 1)[1]
                    assert f"{name}: {problem}: " in str(error), (option, url)
                compared += 1
            else:
                assert run.returncode != 2, (option, url, run.stderr)
    assert compared > 30
