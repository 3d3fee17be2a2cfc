"""The extension for Sphinx, in a project that the command builds."""

import re

import pytest

import support

support.imported("sphinx")

FILES = {
    "index.rst": "Home\n====\n\n.. toctree::\n\n   guide/start\n\n`elsewhere </elsewhere>`_ `top <#home>`_\n",
    "guide/start.rst": (
        "Start\n=====\n\n.. image:: /i.png\n\n:doc:`/index`\n\n.. raw:: html\n\n   <img srcset='a.png 1x, b.png 2x'>\n"
    ),
    "i.png": "",
}
SETTINGS = "project = 'Site'\nextensions = ['absolve.sphinx']\nhtml_baseurl = 'https://site.example/docs/'\n"


def build(folder, builder="html", settings=SETTINGS):
    """Builds a project, and returns the folder of the output and what the command prints."""
    support.write(folder, {**FILES, "conf.py": settings})
    printed = support.run_module("sphinx", "-b", builder, ".", "out", folder=folder)
    return folder / "out", printed


def links_of(page):
    return re.findall(r"""(?:href|src|srcset)=["']([^"']*)["']""", page.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "builder, name, root",
    [
        ("html", "guide/start.html", "https://site.example/docs/index.html"),
        ("dirhtml", "guide/start/index.html", "https://site.example/docs/"),
    ],
)
def test_links_are_absolute(tmp_path, builder, name, root):
    out, _ = build(tmp_path, builder)
    start = f"https://site.example/docs/{name}".rpartition("/")[0]
    assert {
        root,
        "https://site.example/docs/_images/i.png",
        f"{start}/a.png 1x, {start}/b.png 2x",
    } <= set(links_of(out / name))
    assert {"https://site.example/elsewhere", "#home"} <= set(links_of(out / "index.html"))
    pages = sorted(out.rglob("*.html"))
    assert {"genindex", "search"} <= {page.stem for page in pages} or builder == "dirhtml"
    for page in pages:
        assert [link for link in links_of(page) if not link.startswith(("https://", "http://", "#"))] == [], page


def test_without_the_extension_links_are_relative(tmp_path):
    out, _ = build(tmp_path, settings="project = 'Site'\n")
    assert "../_images/i.png" in links_of(out / "guide/start.html")


def test_options(tmp_path):
    options = "absolve_options = {'to': 'root-relative', 'skip': 'img[srcset]'}\n"
    out, _ = build(tmp_path, settings=SETTINGS + options)
    assert {"/docs/_images/i.png", "a.png 1x, b.png 2x"} <= set(links_of(out / "guide/start.html"))


def test_a_second_build_changes_nothing(tmp_path):
    out, _ = build(tmp_path)
    first = {page: page.read_bytes() for page in out.rglob("*.html")}
    build(tmp_path)
    assert {page: page.read_bytes() for page in out.rglob("*.html")} == first


def test_books_remain_relative(tmp_path):
    out, _ = build(tmp_path, "epub")
    page = (out / "guide/start.xhtml").read_text()
    assert "../_images/i.png" in page and "site.example" not in page


def test_an_invalid_option_ends_the_build(tmp_path):
    with pytest.raises(AssertionError, match="absolve_options: profile"):
        build(tmp_path, settings=SETTINGS + "absolve_options = {'profile': 'colour'}\n")


def test_a_missing_base_url_is_a_warning(tmp_path):
    out, printed = build(tmp_path, settings="project = 'Site'\nextensions = ['absolve.sphinx']\n")
    assert "html_baseurl is not set" in printed
    assert "../_images/i.png" in links_of(out / "guide/start.html")
