"""The link extractor for Scrapy, held against Scrapy's own, and in a spider of a real project."""

import doctest
import http.server
import json
import os
import re
import subprocess
import sys
import threading

import absolve
import pytest

import support

support.imported("scrapy")

from scrapy.http import HtmlResponse, XmlResponse  # noqa: E402
from scrapy.linkextractors import LinkExtractor as ScrapyLinkExtractor  # noqa: E402

import absolve.scrapy  # noqa: E402
from absolve.scrapy import LinkExtractor  # noqa: E402

URL = "http://host.example/d/page.html"

# Pages of the corpora for which Scrapy has other links.
LATE_BASE = "HTML, 4.2.3: BASE counts wherever it is in HEAD; Scrapy searches 4,096 characters (scrapy#3017)"
BACKSLASH = "URL Standard, 'path state': a backslash is a slash"
LONG = "References of more than 128 KiB are left unchanged"
EMPTY_SEGMENT = "RFC 3986, 5.2.4: only dot segments are removed; urllib removes empty segments, too"
OTHER_LINKS = {
    "414.html": LATE_BASE,
    "489.html": LATE_BASE,
    "577.html": LATE_BASE,
    "source.33ab93.html": LATE_BASE,
    "resume.html": LATE_BASE,
    "nmb-media.de.ebay.html": LATE_BASE,
    "843.html": BACKSLASH,
    "lapresse.tn.parite.html": BACKSLASH,
    "arclamp.jp.html": EMPTY_SEGMENT,
    "yahoo-jp.html": EMPTY_SEGMENT,
    "source.07e4a9.html": EMPTY_SEGMENT,
    "sonnenernergie.de.Windrebell.html": EMPTY_SEGMENT,
    "xwiki-edit.html": LONG,
}


def page(body, url=URL):
    return HtmlResponse(url, body=body, encoding="utf-8")


def urls(extractor, response):
    return [link.url for link in extractor.extract_links(response)]


def comparable(links):
    """Returns what Scrapy and absolve have in common of links.

    The URL Standard writes an empty path as a slash. Template placeholders, whose braces Scrapy encodes, are no links of
    absolve.
    """
    return {
        (re.sub(r"^(\w+://[^/?#]+)(?=[?#]|$)", r"\1/", link.url), link.text, link.nofollow)
        for link in links
        if "%7B%7B" not in link.url
    }


def test_links_are_those_of_scrapy():
    compared, other = 0, set()
    for path in sorted((support.corpora() / "pages").rglob("*.html")):
        response = HtmlResponse(URL, body=path.read_bytes())
        expected = ScrapyLinkExtractor(deny_extensions=(), unique=False).extract_links(response)
        found = LinkExtractor(deny_extensions=(), unique=False).extract_links(response)
        if comparable(found) != comparable(expected):
            other.add(path.name)
        compared += 1
    assert other == set(OTHER_LINKS)
    assert compared > 700


def test_base_counts_after_4096_characters():
    """scrapy#3017: Scrapy searches the first 4,096 characters only."""
    response = page(f"<head><title>{'t' * 5000}</title><base href=http://g/></head><a href=x>x</a>")
    assert urls(ScrapyLinkExtractor(), response) == ["http://host.example/d/x"]
    assert urls(LinkExtractor(), response) == ["http://g/x"]


@pytest.mark.parametrize("element", ["style", "title", "template", "svg"])
def test_text_and_other_elements_are_no_base(element):
    """HTML, 13.2.5: it is text in STYLE and TITLE. 4.2.3 and 4.12.3: SVG and the contents of TEMPLATE have no BASE."""
    response = page(f"<head><{element}><base href=http://evil.example/></base></{element}></head><a href=x>x</a>")
    assert urls(ScrapyLinkExtractor(), response) == ["http://evil.example/x"]
    assert urls(LinkExtractor(), response) == ["http://host.example/d/x"]


def test_base_in_a_script_does_not_count():
    """w3lib#303: w3lib before 2.5 took it for BASE, also in a script without an end (13.2.5.4, "script data state")."""
    script = "<head><script>'<base href=http://evil.example/>'"
    response = page(f"{script}</script></head><a href=x>x</a>")
    assert urls(LinkExtractor(), response) == ["http://host.example/d/x"]
    assert absolve.scrapy.Page(page(script)).base == URL


def test_base_is_that_of_the_bytes():
    """The tree of libxml2 has the base URL that the HTML standard gives the page."""
    other = set()
    for path in sorted((support.corpora() / "pages").rglob("*.html")):
        response = HtmlResponse(URL, body=path.read_bytes())
        expected = absolve.base(response.text, URL, profile="whatwg")
        if absolve.scrapy.Page(response).base != expected:
            other.add(path.name)
    assert other == set()


ARGUMENTS = [
    {"allow": "x"},
    {"allow": [r"/x$", re.compile("z")], "deny": "y"},
    {"deny": "x"},
    {"allow_domains": "g.example"},
    {"deny_domains": ["g.example"]},
    {"deny_extensions": ["pdf"]},
    {"deny_extensions": ()},
    {"restrict_css": "#nav"},
    {"restrict_xpaths": ["//div[@id='nav']", "//div"]},
    {"restrict_text": "two"},
    {"tags": ("a", "img"), "attrs": ("href", "src", "data-url"), "deny_extensions": ()},
    {"tags": "a", "attrs": "data-url"},
    {"tags": "area"},
    {"canonicalize": True},
    {"unique": False},
    {"process_value": lambda url: url.replace("/x", "/processed") if "y" not in url else None},
    {"process_value": lambda url: "relative"},
    {"strip": False},
]


@pytest.mark.parametrize("arguments", ARGUMENTS, ids=str)
def test_arguments_are_those_of_scrapy(arguments):
    response = page(
        "<div id=nav><a href=x>one</a><a href=y rel='me, nofollow'>two <b>words</b></a></div><area href=z>"
        "<div><a href=x>two</a><a href=http://g.example/?b=2&a=1#f>g</a><a href=' p.pdf '>p</a></div>"
        "<img src=i.png><a data-url=u.html href='mailto:m@h.example'>m</a><a href='ü?q=ü'>u</a>"
    )
    expected = ScrapyLinkExtractor(**arguments).extract_links(response)
    assert LinkExtractor(**arguments).extract_links(response) == expected
    for url in ("http://host.example/x", "http://g.example/y"):
        assert LinkExtractor(**arguments).matches(url) == ScrapyLinkExtractor(**arguments).matches(url)


def test_lists_are_one_link_for_each_reference():
    response = page(
        "<a href=a ping='p q'>a</a><img srcset='b 1x, c 2x'><meta http-equiv=refresh content='5; url=d'>"
        "<img src=''><a href='{{ url }}'>t</a><a href='http://['>i</a>"
    )
    extractor = LinkExtractor(tags=("a", "img", "meta"), attrs=("href", "src", "ping", "srcset", "content"))
    assert urls(extractor, response) == [f"http://host.example/d/{name}" for name in "apqbcd"]


def test_queries_are_in_the_encoding_of_the_response():
    body = "<a href='中?q=中'>x</a>".encode("gb18030")
    response = HtmlResponse(URL, body=body, encoding="gb18030")
    assert urls(LinkExtractor(), response) == urls(ScrapyLinkExtractor(), response)
    assert urls(LinkExtractor(), response) == ["http://host.example/d/%E4%B8%AD?q=%D6%D0"]


def test_xml_and_pages_without_a_url():
    response = XmlResponse(URL, body=b"<feed><a href='x'/></feed>")
    assert urls(LinkExtractor(), response) == ["http://host.example/d/x"]
    response = page("<a href=http://h.example/>h</a>", url="data:text/html,x")
    assert urls(LinkExtractor(), response) == ["http://h.example/"]


SPIDER = """
import scrapy
from absolve.scrapy import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule

class Spider(CrawlSpider):
    name = "site"
    rules = [Rule(LinkExtractor(), callback="parse_page", follow=True)]

    def parse_page(self, response):
        yield {"url": response.url}
"""

SITE = {
    "/": f"<head><title>{'t' * 5000}</title><base href=/docs/></head><a href=late.html>x</a>",
    "/docs/late.html": "<head><script>'<base href=/wrong/>'</script></head><a href=script.html>x</a>",
    "/docs/script.html": "<p>The end.",
}


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = SITE.get(self.path)
        self.send_response(404 if body is None else 200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write((body or "missing").encode())

    def log_message(self, *arguments):
        pass


def test_a_spider_follows_links(tmp_path):
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        root = f"http://127.0.0.1:{server.server_port}"
        (tmp_path / "spider.py").write_text(SPIDER + f"    start_urls = ['{root}/']\n")
        command = [sys.executable, "-m", "scrapy", "runspider", "spider.py", "-O", "pages.json", "-L", "ERROR"]
        environment = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
        result = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120)
        server.shutdown()
    assert result.returncode == 0 and not result.stderr, result.stderr
    found = [item["url"] for item in json.loads((tmp_path / "pages.json").read_text())]
    assert found == [f"{root}/docs/late.html", f"{root}/docs/script.html"]


def test_documentation():
    assert doctest.testmod(absolve.scrapy).failed == 0
