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
