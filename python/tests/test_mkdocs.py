"""The plugin for MkDocs, in a site that the command builds."""

import re

import absolve
import pytest

import support

support.imported("mkdocs")

FILES = {
    "docs/index.md": "# Home\n\n[guide](guide/start.md) [top](#home) [host](/elsewhere)\n",
    "docs/guide/start.md": '# Start\n\n![i](../images/\u00fc.png)\n\n<img srcset="a.png 1x, b.png 2x">\n',
    "docs/images/\u00fc.png": "",
}
SETTINGS = "site_name: Site\nsite_url: https://site.example/docs/\n"
PLUGIN = "plugins:\n  - search\n  - absolve\n"


def build(folder, settings, strict=True):
    """Builds a site, and returns its folder and what the command prints."""
    support.write(folder, {**FILES, "mkdocs.yml": settings})
    printed = support.run_module("mkdocs", "build", *(["--strict"] if strict else []), folder=folder)
    return folder / "site", printed


def links_of(page):
    return re.findall(r'(?:href|src|srcset)="([^"]*)"', page.read_text(encoding="utf-8"))


def test_links_are_absolute(tmp_path):
    site, _ = build(tmp_path, SETTINGS + PLUGIN)
    start = "https://site.example/docs/guide/start/"
    assert {
        "https://site.example/docs/images/%C3%BC.png",
        f"{start}a.png 1x, {start}b.png 2x",
        "https://site.example/docs/css/base.css",
    } <= set(links_of(site / "guide/start/index.html"))
    home = links_of(site / "index.html")
    assert {"https://site.example/docs/guide/start/", "https://site.example/elsewhere", "#home"} <= set(home)
    for page in site.rglob("*.html"):
        relative = [link for link in links_of(page) if not link.startswith(("https://", "http://", "#", "data:"))]
        assert relative == [], page


def test_without_the_plugin_links_are_relative(tmp_path):
    site, _ = build(tmp_path, SETTINGS)
    assert "../../images/%C3%BC.png" in links_of(site / "guide/start/index.html")


def test_relative_links(tmp_path):
    options = "use_directory_urls: false\nplugins:\n  - absolve:\n      to: relative\n"
    site, _ = build(tmp_path, SETTINGS + options)
    assert "../images/%C3%BC.png" in links_of(site / "guide/start.html")
    # The theme writes links with the path of the site there.
    assert "css/base.css" in links_of(site / "404.html")
    for page in site.rglob("*.html"):
        assert [link for link in links_of(page) if link.startswith(("https://site.example/", "/docs"))] == [], page


def test_options(tmp_path):
    options = "plugins:\n  - absolve:\n      map:\n        https://site.example/docs/: https://new.example/\n      skip: img[srcset]\n"
    site, _ = build(tmp_path, SETTINGS + options)
    found = links_of(site / "guide/start/index.html")
    assert {"https://new.example/images/%C3%BC.png", "a.png 1x, b.png 2x"} <= set(found)


@pytest.mark.parametrize("option", ["profile: colour", "to: 3", "colour: red"])
def test_an_invalid_option_ends_the_build(tmp_path, option):
    with pytest.raises(AssertionError, match=option.split(":")[0]):
        build(tmp_path, f"{SETTINGS}plugins:\n  - absolve:\n      {option}\n")


def test_templates_that_are_no_html_remain():
    import types

    from absolve.mkdocs import AbsolvePlugin

    plugin = AbsolvePlugin()
    plugin.rewriter = absolve.Rewriter()
    config = types.SimpleNamespace(site_url="https://site.example/docs/")
    for name, expected in [("404.html", "<a href=https://site.example/docs/x>"), ("a.xml", "<a href=x>")]:
        assert plugin.on_post_template("<a href=x>", template_name=name, config=config) == expected


def test_a_missing_site_url_is_a_warning(tmp_path):
    site, printed = build(tmp_path, "site_name: Site\n" + PLUGIN, strict=False)
    assert "site_url is not set" in printed
    assert "../../images/%C3%BC.png" in links_of(site / "guide/start/index.html")
