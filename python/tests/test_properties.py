"""Generated documents, held against lxml, w3lib and urllib.

The tools agree on documents of a plain kind. What is left out of them, and the passage that decides:

- BASE with an empty `href`: lxml resolves nothing; RFC 1808 section 4, step 2a, leaves the base URL as it is.
- BASE with a relative `href`: lxml resolves references against that alone; RFC 1808 section 10 wants it absolute, and
  absolve completes it as HTML does.
- BASE that repeats: lxml takes the last one, RFC 1808 section 10 has one, and HTML takes the first.
- References that are not URLs, such as `http:x`: RFC 1808 section 5.2 and `urllib` differ.
- Characters that are no URL characters: absolve encodes them (RFC 1808 section 2.2), lxml and urllib do not.
- Dot segments after an authority: RFC 3986 section 5.2.2 removes them, urllib keeps them.
- `;` and dots in the last path segment: `urllib` follows RFC 3986, so the profile is that one.
"""

from urllib.parse import urljoin

import absolve

import support

hypothesis = support.imported("hypothesis")
strategies = support.imported("hypothesis.strategies")

SEGMENT = strategies.text("abcxyz0123-_~", min_size=1, max_size=4)
PATH = strategies.lists(strategies.one_of(SEGMENT, strategies.sampled_from([".", ".."])), min_size=1, max_size=5).map("/".join)
QUERY = strategies.one_of(strategies.just(""), SEGMENT.map("?q={}".format))
FRAGMENT = strategies.one_of(strategies.just(""), SEGMENT.map("#{}".format))
REFERENCE = strategies.one_of(
    strategies.builds("{}{}{}{}".format, strategies.sampled_from(["", "/"]), PATH, QUERY, FRAGMENT),
    strategies.builds("{}{}{}".format, strategies.sampled_from(["//h.example/", "http://g.example/"]), SEGMENT, QUERY),
    SEGMENT.map("#{}".format),
    SEGMENT.map("?{}".format),
)
BASE = strategies.builds("http://host.example/{}{}".format, strategies.lists(SEGMENT, max_size=4).map("/".join), QUERY)


@hypothesis.settings(max_examples=2000, deadline=None)
@hypothesis.given(BASE, REFERENCE)
def test_resolve_is_urljoin(base, reference):
    expected = urljoin(base, reference)
    # Dot segments above the root: RFC 3986 section 5.2.4 removes them, and urllib does since Python 3.5.
    assert absolve.resolve(base, reference, profile="rfc3986") == expected


@hypothesis.settings(max_examples=500, deadline=None)
@hypothesis.given(BASE, strategies.one_of(strategies.none(), BASE), strategies.lists(REFERENCE, max_size=6))
def test_links_are_those_of_lxml(url, base, references):
    try:
        import lxml.html
    except ImportError:
        support.missing("lxml")
    head = "" if base is None else f'<base href="{base}">'
    body = "".join(f'<a href="{reference}">x</a>' for reference in references)
    document = f"<html><head>{head}<title>x</title></head><body>{body}</body></html>"
    tree = lxml.html.fromstring(document)
    tree.make_links_absolute(url)
    expected = [link for element, _, link, _ in tree.iterlinks() if element.tag == "a"]
    found = [link.target for link in absolve.links(document, url, profile="rfc3986") if link.element == "a"]
    assert found == expected


@hypothesis.settings(max_examples=500, deadline=None)
@hypothesis.given(BASE, REFERENCE)
def test_base_is_that_of_w3lib(url, base):
    try:
        from w3lib.html import get_base_url
    except ImportError:
        support.missing("w3lib")
    document = f'<html><head><base href="{base}"></head><body>'
    found = absolve.base(document, url, profile="rfc3986")
    assert found == get_base_url(document, url)


@hypothesis.settings(max_examples=500, deadline=None)
@hypothesis.given(strategies.one_of(strategies.text(), strategies.binary()))
def test_markup_never_raises(document):
    result = absolve.make_links_absolute(document, "http://h/")
    assert type(result) is type(document)
    for link in absolve.links(document, "http://h/"):
        assert link.start is None or 0 <= link.start <= link.end <= len(document)
    absolve.check(document, "http://h/")
