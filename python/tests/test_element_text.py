"""The columns `text`, `rel` and `alt` of the tables of links."""

import absolve
import pytest

import support

pyarrow = support.imported("pyarrow")


def columns(*page, **options):
    """Returns reference, text, `rel` and `alt` of each link of a page."""
    pages = [(page[0], "http://h/", *page[1:])]
    table = pyarrow.table(absolve.links_arrow(pages, element_text=True, **options))
    return [tuple(row.values()) for row in table.select(["reference", "text", "rel", "alt"]).to_pylist()]


@pytest.mark.parametrize(
    "html, expected",
    [
        # White space is that of HTML: U+00A0 is none.
        ("<a href=x rel='nofollow noopener'> Two \n words\t<b>bold</b>&nbsp;</a>", "Two words bold\u00a0"),
        ("<a href=x>a<!-- </a> -->b&lt;i&gt;&notin;&amp</a>", "ab<i>\u2209&"),
        ("<a href=x>a<script>'</a>'</script>b<style>c</a></style>d<template>e</template></a>f", "abd"),
        # Not glued: each begins a line.
        ("<a href=x><div>Title</div><p>Text<br>More</p><ul><li>1<li>2</ul></a>", "Title Text More 1 2"),
        ("<a href=x>in<b>li</b>ne", "inline"),
        ("<a href=x><textarea></a> &amp;</textarea><svg><title>t</title></svg></a>", "</a> &t"),
        # The parser ignores `/`: the element is not empty.
        ("<a href=x />text</a>", "text"),
        ("<A HREF=x>text</A >y", "text"),
        ("<a href=x></a>y", ""),
        ("<a href=x", None),
        # SVG: what closes itself is empty, and its text is markup, except in what contains HTML.
        ("<svg><a href=x><style/><text>t</text></a></svg>", "t"),
        ("<a href=x><svg><title/><script/><style>s</style><g>&amp;<b>g</b></g></svg>Go</a>", "&gGo"),
        ("<a href=x><svg><title><b>t</b></title></svg><title><b></title></a>", "t<b>"),
        ("<a href=x><svg/><style><b></style><svg><foreignObject><script/></a></script></svg>t", "t"),
        ("<a href=x><template>a<template>b</template>c</template>d<noscript><img></noscript>e</a>", "de"),
        ("<a href=x>one<template><p>a</p></template>word</a>", "oneword"),
        ("<a href=x>t<iframe>f</iframe><noembed>e</noembed><noframes>f</noframes><xmp><b></xmp>", "t<b>"),
        ("<a href=x>t<plaintext></a>", "t</a>"),
        # A character reference at the very end.
        ("<a href=x>&am", "&am"),
        ("<a href=x>a\0b\r\nc</a>", "ab c"),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16le", None])
def test_text_of_an_anchor(html, expected, encoding):
    if encoding is None:
        found = columns(html)
    else:
        found = columns(html.encode(encoding), f"text/html; charset={encoding}")
    assert [row[1] for row in found] == ([] if expected is None else [expected])


def test_text_ends_where_the_next_anchor_begins():
    html = "<a href=1>one<a name=n>not<a href=2>two</a>no<a href=3 ping='4 5'>three"
    texts = [("1", "one"), ("2", "two"), ("3", "three"), ("4", "three"), ("5", "three")]
    assert [row[:2] for row in columns(html)] == texts


def test_attributes():
    html = """<link href=l REL=" Next  stylesheet ">
        <area href=a alt='A &eacute;l' alt=b rel=r rel=s>
        <img srcset="1 1x, 2 2x" src=3 alt="">
        <a href=4 rel>
        <form action=5><input type=image src=6 alt=Go formaction=7>"""
    assert columns(html) == [
        ("l", None, " Next  stylesheet ", None),
        ("a", None, "r", "A \u00e9l"),
        ("1", None, None, ""),
        ("2", None, None, ""),
        ("3", None, None, ""),
        ("4", "", "", None),
        ("5", None, None, None),
        ("6", None, None, "Go"),
        ("7", None, None, "Go"),
    ]


def test_encodings_and_readers():
    russian = "<a href=\u044f alt=\u0448>\u043f\u0440\u0438\u0432\u0435\u0442</a>"
    expected = [("\u044f", "\u043f\u0440\u0438\u0432\u0435\u0442", None, "\u0448")]
    for encoding in ["windows-1251", "utf-8", "utf-16be"]:
        assert columns(russian.encode(encoding), f"text/html; charset={encoding}") == expected
    # Malformed at the end of the text.
    assert columns(b"<a href=1>t\xe4<a href=2>\xe4", "text/html; charset=utf-8")[0][1] == "t\ufffd"
    late = b" " * 2000 + b"<meta charset=windows-1251>" + russian.encode("windows-1251")
    assert columns(late) == expected
    # A byte order mark is part of the offsets.
    assert columns(b"\xef\xbb\xbf" + russian.encode()) == expected
    japanese = "<a href=/>\u65e5\u672c</a><img src=\u8868 alt=\u8868>"
    for encoding in ["shift_jis", "euc-jp", "iso-2022-jp"]:
        found = columns(japanese.encode(encoding), f"text/html; charset={encoding}")
        assert found == [("/", "\u65e5\u672c", None, None), ("\u8868", None, None, "\u8868")]
    # An incomplete character before the tag.
    incomplete = b"\x1b$B0\x1b(B<a href=x>t</a>"
    assert columns(incomplete, "text/html; charset=iso-2022-jp") == [("x", "t", None, None)]
    # A tree decides what is markup.
    assert columns("<p><a href=x>t</a><table><a href=y>u<td></table>") == [
        ("x", "t", None, None),
        ("y", "u", None, None),
    ]


def test_links_in_documents_in_values_have_no_texts():
    html = "<iframe srcdoc='<a href=x rel=r>t</a>'></iframe><!--[if IE]><a href=y>u</a><![endif]--><style>a{b:url(z)}</style>"
    found = columns(html, preset="comments")
    assert found == [("x", None, None, None), ("y", None, None, None), ("z", None, None, None)]
    assert columns("a{b:url(z)}", "text/css") == [("z", None, None, None)]


def test_xml():
    page = """<html xmlns="http://www.w3.org/1999/xhtml"><body><a href="1"/>no<a href="2" rel="x">a<![CDATA[<b>]]>
        &#xe9;<script>s</script><title/>t</a><script/><p><a href="3">u</a></p></body></html>"""
    assert columns(page, "application/xhtml+xml") == [
        ("1", "", None, None),
        ("2", "a<b> \u00e9t", "x", None),
        ("3", "u", None, None),
    ]
    prefixed = '<h:html xmlns:h="http://www.w3.org/1999/xhtml"><h:body><h:a href="1">a<b/></h:a>c</h:body></h:html>'
    assert columns(prefixed, "application/xhtml+xml") == [("1", "a", None, None)]
    other = """<html xmlns="http://www.w3.org/1999/xhtml"><a REL="q" alt="a
&#10;b\tc" href="1"><?p </a> ?>a<A>b</A>&eacute;<template><p>t</p></template>&#x80;<!-- </a> --><br/>c &unknown;</a></html>"""
    doctype = '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x" [<!ENTITY unknown "u">]>'
    assert columns(doctype + other, "application/xhtml+xml") == [("1", "ab\u00e9\x80 c", None, "a \nb c")]
    feed = """<feed xmlns="http://www.w3.org/2005/Atom"><title>t</title><id>urn:x</id><updated>2026-01-02T03:04:05Z</updated>
        <link rel="self" href="s"/><entry><title>t</title><id>urn:y</id><updated>2026-01-02T03:04:05Z</updated>
        <content type="html"><![CDATA[<a href=c />in</a>]]></content>
        <summary type="html">&lt;a href=e>escaped&lt;/a></summary></entry></feed>"""
    found = columns(feed, "application/atom+xml")
    assert [row for row in found if not row[0].startswith("urn:")] == [
        ("s", None, "self", None),
        ("c", "in", None, None),
        ("e", None, None, None),
    ]


def test_text_ends_with_its_section():
    feed = """<rss version="2.0"><channel><item><description><![CDATA[Read <a href="m" rel="r">more...]]></description>
        <title>T</title></item></channel></rss>"""
    assert columns(feed, "application/rss+xml") == [("m", "more...", "r", None)]
    wide = feed.encode("utf-16")
    assert columns(wide, "application/rss+xml") == [("m", "more...", "r", None)]


def test_many_attributes_take_linear_time():
    names = " ".join(f"a{number}" for number in range(400_000))
    pages = [
        (f"<a href=x {names} rel=r>t</a>", "text/html"),
        (f"<a href=x rel=r><b {names}>t</b {names}></a>", "text/html"),
        (f"""<html xmlns="http://www.w3.org/1999/xhtml"><a href="x" rel="r"><b {names.replace(" ", "='' ")}=''/>t</a></html>""", "text/xml"),
    ]
    # Some minutes each if all attributes were compared with each other.
    for page, media_type in pages:
        assert columns(page, media_type, limit={"attributes": 1_000_000}) == [("x", "t", "r", None)]


def test_copies_of_a_text_are_limited():
    count = 8_000
    page = f"<a href=x ping='{'p ' * count}' rel={'r' * 4096}>{'t' * 4096}</a><a href=y>u</a>"
    found = columns(page)
    assert len(found) == count + 2
    copies = [row for row in found if row[1]]
    assert len(copies) * 8192 <= (8 << 20) + 4 * len(page) < (len(copies) + 1) * 8192
    assert found[: len(copies)] == copies and found[-1][1] is None


def test_long_texts_are_cut():
    long = "\u00e9" * 3000
    [(_, text, rel, alt)] = columns(f"<a href=x rel={long} alt=x{long}>x{long}</a>")
    assert (rel, text, alt) == (long[:2048], f"x{long[:2047]}", f"x{long[:2047]}")


def test_the_other_columns_are_the_same():
    pages = [("<a href=x>t</a><img src=y>" * 300, "http://h/")] * 300
    plain = pyarrow.table(absolve.links_arrow(pages))
    table = pyarrow.table(absolve.links_arrow(pages, element_text=True))
    assert table.column_names == [*plain.column_names, "text", "rel", "alt"]
    assert table.drop_columns(["text", "rel", "alt"]) == plain
    assert table.column("text").to_pylist() == ["t", None] * 90_000
    # The text counts for the size of a batch.
    batches = list(absolve.links_arrow([(f"<a href=x>{'t' * 4096}</a>" * 5000, "http://h/")], element_text=True))
    assert len(batches) >= 3 and sum(map(len, batches)) == 5000


def test_texts_of_an_archive():
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=b rel=r>t</a>"
    head = b"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://h/a\r\nContent-Length: %d\r\n\r\n" % len(block)
    found = absolve.warc_links_arrow((head + block + b"\r\n\r\n") * 3, element_text=True)
    assert pyarrow.table(found).select(["text", "rel", "alt"]).to_pylist() == [{"text": "t", "rel": "r", "alt": None}] * 3


def test_texts_of_real_pages_are_those_of_another_parser():
    try:
        import lxml.html
    except ImportError:
        support.missing("lxml")
    anchors = different = 0
    for path in sorted((support.corpora() / "pages").rglob("*.html")):
        try:
            page = path.read_bytes().decode()
            tree = lxml.html.document_fromstring(page)
        except (UnicodeDecodeError, ValueError, lxml.etree.ParserError):
            continue
        only_anchors = {"preset": "none", "link": {"a[href]": "url"}}
        table = pyarrow.table(absolve.links_arrow([(page, "http://h/")], element_text=True, **only_anchors))
        ours = ["".join(text.split()) for text in table.column("text").to_pylist()]
        found = tree.xpath("//a[@href]")
        theirs = ["".join("".join(a.xpath(".//text()[not(ancestor::script or ancestor::style or ancestor::noscript)]")).split()) for a in found]
        # In some pages another parser finds other elements.
        if len(ours) == len(theirs):
            anchors += len(ours)
            different += sum(a[:1000] != b[:1000] for a, b in zip(ours, theirs))
    assert anchors > 10_000
    # Misnested ones: the text of a parser is moved, and does not end at the next anchor in a table.
    assert different <= anchors / 1000
