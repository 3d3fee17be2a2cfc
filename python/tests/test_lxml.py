"""Trees of lxml: their links, held against those of the bytes that the tree was parsed from."""

import doctest

import absolve
import pytest

import support

etree = support.imported("lxml.etree")
html = support.imported("lxml.html")

import absolve.lxml  # noqa: E402
from absolve.lxml import iterlinks, make_links_absolute  # noqa: E402

URL = "http://host.example/d/page.html"

# Pages from which libxml2 builds another tree than section 13.2.6 of the HTML standard does, so that links differ.
OTHER_TREES = {
    "fixtures/check/base-outside-head/quiet.html": "13.2.6.4.6, 'after head': a BASE after </head> is in HEAD",
    "fixtures/regressions/heading-ended-by-another-in-mathml/": "13.2.6.4.7, 'in body': </h2> ends H1 and MathML in it",
    "fixtures/regressions/reference-across-a-cdata-section/": "13.2.6.5: CDATA sections in SVG are markup",
    "fixtures/regressions/svg-style-end-tag-with-another-name/": "13.2.6.5: STYLE in SVG contains markup",
    "fixtures/regressions/table-end-tag-in-template/": "13.2.6.5: </table> ends the SVG element",
    "fixtures/rewrite/svg-style/": "13.2.6.5: comments in the STYLE of SVG are markup",
    "pages/jsoup/yahoo-jp.html": "13.2.6.4.22, 'after after body': the NOSCRIPT after </html> is in BODY",
}


def parsed(document):
    return html.document_fromstring(document, parser=html.HTMLParser(encoding="utf-8"))


def values(tree):
    """Returns the names and attributes of all elements, and the text of those whose text may contain links."""
    elements = tree.iter(etree.Element)
    return [(element.tag, element.items(), element.text if element.tag in ("style", "script") else None) for element in elements]


def pages():
    """Yields names and documents. All are in UTF-8: libxml2 ends at bytes that do not decode."""
    corpora = support.corpora()
    roots = [(support.ROOT, "fixtures"), (corpora, "pages"), (corpora, "site"), (corpora, "large")]
    for root, folder in roots:
        for path in sorted((root / folder).rglob("*.html")):
            document = path.read_bytes()
            try:
                document.decode("utf-8")
            except UnicodeDecodeError:
                document = document.decode("windows-1252", "replace").encode()
            yield path.relative_to(root).as_posix(), document


def test_a_rewritten_tree_is_the_tree_of_the_rewritten_bytes():
    compared, other = 0, set()
    for name, document in pages():
        try:
            tree = parsed(document)
        except etree.ParserError:
            # lxml has no tree of a document without elements.
            continue
        expected = absolve.links(document, URL, encoding="utf-8")
        found = [(link.details.reference, link.details.target) for link in iterlinks(tree, URL)]
        has_same_links = sorted(map(str, found)) == sorted(str((link.reference, link.target)) for link in expected)
        make_links_absolute(tree, URL)
        has_same_values = values(tree) == values(parsed(absolve.rewrite(document, URL, encoding="utf-8")))
        if not (has_same_links and has_same_values):
            other.add(next((listed for listed in OTHER_TREES if name.startswith(listed)), name))
        compared += 1
    assert other == set(OTHER_TREES)
    assert compared > 6000


def test_links_are_tuples_like_those_of_lxml():
    tree = html.document_fromstring(
        "<style>a{b:url(c)}</style><a href=x>x</a><div style='x:url(\u00fc);y:url(z)'><form action=y>"
    )
    found = list(iterlinks(tree, URL))
    # lxml reverses the links of one value.
    assert sorted(map(str, map(tuple, found))) == sorted(map(str, tree.iterlinks()))
    assert [link.details.target for link in found] == [
        "http://host.example/d/c",
        "http://host.example/d/x",
        "http://host.example/d/%C3%BC",
        "http://host.example/d/z",
        "http://host.example/d/y",
    ]


def test_positions_are_those_of_the_links_in_their_values():
    tree = html.document_fromstring(
        "<style>\u00fc{b:url('c')}</style><meta http-equiv=refresh content='1; url=x'><img srcset='\u00fc 1x, b 2x'>"
        "<iframe srcdoc='&lt;a title=\u00fc href=y>'></iframe><a ping='p q' href=' r '>"
    )
    count = 0
    for element, attribute, link, pos in iterlinks(tree, URL):
        value = element.text if attribute is None else element.get(attribute)
        assert value[pos : pos + len(link)] == link
        count += 1
    assert count == 8


def test_base_is_that_of_the_document_for_each_of_its_elements():
    tree = html.document_fromstring("<base href=/b/><p><a href=x>x</a></p><a href=y>y</a>")
    paragraph = tree.find(".//p")
    assert [link.details.target for link in iterlinks(paragraph, URL)] == ["http://host.example/b/x"]
    make_links_absolute(paragraph, URL)
    assert html.tostring(tree) == (
        b'<html><head><base href="/b/"></head><body><p><a href="http://host.example/b/x">x</a></p><a href="y">y</a>'
        b"</body></html>"
    )


def test_the_first_base_in_head_counts():
    """RFC 1808 section 10 has one BASE, in HEAD; lxml takes the last one in the document."""
    tree = html.document_fromstring("<head><base href=/a/><base href=/b/></head><body><base href=/c/><a href=x>")
    make_links_absolute(tree, URL)
    assert tree.find(".//a").get("href") == "http://host.example/a/x"


@pytest.mark.parametrize(
    "document, options, expected",
    [
        ("<head><base href=/b/></head><a href=x>", {"base_element": "remove"}, '<a href="http://host.example/b/x">'),
        ("<head><base target=_top></head><a href=x>", {"base_element": "insert"}, f'<base target="_top" href="{URL}">'),
        ("<head><title>t</title></head>", {"base_element": "insert"}, f'<head><base href="{URL}"><title>'),
        ("<head>\n<title>t</title></head>", {"base_element": "insert"}, f'<head><base href="{URL}">\n<title>'),
        ("<!--[if IE]><img src=x><![endif]-->", {"preset": "comments"}, "<img src=http://host.example/d/x>"),
        ("<p data-x=y>", {"link": {"p[data-x]": "url"}}, 'data-x="http://host.example/d/y"'),
        ("<a href=?q=\u00fc>", {"encoding": "windows-1252"}, "?q=%FC"),
        ("<a href=?q=\u00fc>", {}, "?q=%C3%BC"),
        ("<svg><feimage xlink:href=x></feimage></svg>", {}, 'xlink:href="http://host.example/d/x"'),
        ("<svg><foreignobject><image src=x>", {}, 'src="http://host.example/d/x"'),
        ("<math><csymbol definitionurl=x></csymbol></math>", {"preset": "legacy"}, 'definitionurl="http://host.example/d/x"'),
        ("<template><base href=/t/></template><a href=x>", {}, '<a href="http://host.example/d/x">'),
    ],
)
def test_rewrites(document, options, expected):
    tree = parsed(f"<html>{document}".encode())
    make_links_absolute(tree, URL, **options)
    assert expected in html.tostring(tree, encoding="unicode")


def test_an_element_is_removed_without_the_text_around_it():
    tree = etree.fromstring("<html><head>a<base href='/b/'/>b<title/>c<base href=''/>d</head></html>")
    make_links_absolute(tree, URL, base_element="remove")
    assert etree.tostring(tree) == b"<html><head>ab<title/>cd</head></html>"


def test_xhtml():
    tree = etree.ElementTree(
        etree.fromstring(
            '<html xmlns="http://www.w3.org/1999/xhtml"><head><base href="b/"/><style>a<!-- -->{b:url(x)}</style></head>'
            '<body><A href="a"/><svg xmlns="http://www.w3.org/2000/svg" xmlns:l="http://www.w3.org/1999/xlink">'
            '<feImage l:href="i"/></svg><img src="x"/></body></html>'
        )
    )
    links = make_links_absolute(tree, URL)
    assert [link.reason for link in links] == [None, "undecodable", None, None]
    assert b'l:href="http://host.example/d/b/i"' in etree.tostring(tree)
    assert b'<img src="http://host.example/d/b/x"/>' in etree.tostring(tree)
    # Names in XML are case-sensitive.
    assert b'<A href="a"/>' in etree.tostring(tree)


def test_the_url_of_the_document_is_the_default():
    tree = html.document_fromstring("<a href=x>", base_url=URL)
    assert [link.details.target for link in iterlinks(tree)] == ["http://host.example/d/x"]
    assert [link.details.target for link in iterlinks(tree, "http://h/")] == ["http://h/x"]
    # A path is not the URL of a document.
    tree = html.document_fromstring("<a href=x>", base_url="d/page.html")
    assert [link.details.reason for link in iterlinks(tree)] == ["no-base"]
    with pytest.raises(ValueError, match="url"):
        iterlinks(tree, "page.html")


def test_control_characters_are_left_as_they_are():
    """lxml does not accept the form feed in a new value."""
    tree = parsed(b"<style>a\x0c{b:url(c)}</style><a href=x>")
    make_links_absolute(tree, URL)
    assert tree.find(".//style").text == "a\x0c{b:url(c)}"
    assert tree.find(".//a").get("href") == "http://host.example/d/x"


def test_documentation():
    assert doctest.testmod(absolve.lxml).failed == 0
