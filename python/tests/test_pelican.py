"""The plugin for Pelican, in a site that the command builds."""

import re

import pytest

import support

support.imported("pelican")

from lxml import etree  # noqa: E402

ARTICLE = """Title: Post
Date: 2026-01-02
Slug: post

Text[^1] with ![an image](images/\u00fc.png), [the site](/about.html), [a file]({filename}other.md).

<img src="a.png" srcset="a.png 1x, b.png 2x" alt="">

[^1]: A note.
"""
OTHER = "Title: Other\nDate: 2026-01-01\nSlug: other\n\nOther.\n"
SETTINGS = """
SITENAME = "Site"
SITEURL = "https://site.example/blog"
PATH = "content"
TIMEZONE = "UTC"
DEFAULT_LANG = "en"
AUTHOR = "A"
MARKDOWN = {"extensions": ["markdown.extensions.footnotes", "markdown.extensions.attr_list"]}
ARTICLE_URL = "posts/{slug}/"
ARTICLE_SAVE_AS = "posts/{slug}/index.html"
FEED_ALL_ATOM = "atom.xml"
FEED_ALL_RSS = "rss.xml"
PLUGINS = ["absolve.pelican"]
"""
POST = "https://site.example/blog/posts/post/"


def build(folder, settings=""):
    files = {"content/post.md": ARTICLE, "content/other.md": OTHER, "pelicanconf.py": SETTINGS + settings}
    support.write(folder, files)
    support.run_module("pelican", "content", "-s", "pelicanconf.py", "-o", "output", "--fatal", "errors", folder=folder)
    return folder / "output"


def links_of(html):
    return re.findall(r'(?:href|src|srcset)="([^"]*)"', html)


def feed_links(output, name):
    """Returns the links in the article of a feed, read with the parser of another library."""
    tree = etree.parse(output / name)
    path = {"atom.xml": "//*[local-name() = 'entry']/*[local-name() = 'content']", "rss.xml": "//item/description"}[name]
    return links_of("".join(content.text for content in tree.xpath(path) if "an image" in content.text))


FEED_LINKS = [
    f"{POST}#fn:1",
    f"{POST}images/%C3%BC.png",
    "https://site.example/about.html",
    "https://site.example/blog/posts/other/",
    f"{POST}a.png",
    f"{POST}a.png 1x, {POST}b.png 2x",
    f"{POST}#fnref:1",
]


@pytest.mark.parametrize("name", ["atom.xml", "rss.xml"])
@pytest.mark.parametrize("settings", ["", "ABSOLVE_OPTIONS = {'to': 'relative'}"])
def test_links_in_feeds_are_absolute(tmp_path, name, settings):
    """pelican#812: references in feeds remain relative without the plugin."""
    output = build(tmp_path, "RSS_FEED_SUMMARY_ONLY = False\n" + settings)
    assert sorted(feed_links(output, name)) == sorted(FEED_LINKS)


def test_summaries_in_feeds_are_rewritten(tmp_path):
    # By default, RSS has summaries instead of contents.
    assert f"{POST}images/%C3%BC.png" in feed_links(build(tmp_path), "rss.xml")


def test_relative_urls_of_pelican(tmp_path):
    output = build(tmp_path, "RELATIVE_URLS = True\nRSS_FEED_SUMMARY_ONLY = False\nABSOLVE_PAGES = True\n")
    assert sorted(feed_links(output, "atom.xml")) == sorted(FEED_LINKS)
    # SITEURL is relative in pages then, so they remain as they are.
    assert 'src="a.png"' in (output / "posts/post/index.html").read_text()


def test_feeds_can_be_left_alone(tmp_path):
    assert "a.png" in feed_links(build(tmp_path, "ABSOLVE_FEEDS = False"), "atom.xml")


def test_pages_remain_by_default(tmp_path):
    assert 'src="a.png"' in (build(tmp_path) / "posts/post/index.html").read_text()


def test_pages(tmp_path):
    output = build(tmp_path, "ABSOLVE_PAGES = True")
    found = links_of((output / "posts/post/index.html").read_text())
    assert {f"{POST}a.png", f"{POST}a.png 1x, {POST}b.png 2x", "https://site.example/about.html", "#fn:1"} <= set(found)
    assert [link for link in found if not link.startswith(("https://", "http://", "#"))] == []


def test_pages_with_relative_links(tmp_path):
    output = build(tmp_path, "ABSOLVE_PAGES = True\nABSOLVE_OPTIONS = {'to': 'relative'}")
    found = links_of((output / "posts/post/index.html").read_text())
    assert {"../other/", "../../../about.html", "a.png", "#fn:1", "../../theme/css/main.css"} <= set(found)
    assert [link for link in found if link.startswith("https://site.example")] == []


def test_nothing_changes_without_a_site_url(tmp_path):
    output = build(tmp_path, "SITEURL = ''\nABSOLVE_PAGES = True\nFEED_DOMAIN = 'https://site.example'\n")
    assert "a.png" in feed_links(output, "atom.xml")
    assert 'src="a.png"' in (output / "posts/post/index.html").read_text()


def test_an_invalid_option_ends_the_build(tmp_path):
    with pytest.raises(AssertionError, match="colour|profile"):
        build(tmp_path, "ABSOLVE_OPTIONS = {'profile': 'colour'}")
