"""The functions and classes, one promise each."""

import collections.abc
import codecs
import copy
import encodings.aliases
import gzip
import io
import multiprocessing
import operator
import pickle

import absolve
import pytest
import support

PAGE = b'<base href="/docs/"><a href=x>x</a><img srcset="a 1x, b 2x"><a href="#top">'


def test_the_result_has_the_type_of_the_document():
    assert absolve.make_links_absolute(b"<a href=x>", "http://h/") == b"<a href=http://h/x>"
    assert absolve.make_links_absolute("<a href=x>", "http://h/") == "<a href=http://h/x>"
    assert absolve.make_links_absolute(bytearray(b"<a href=x>"), "http://h/") == b"<a href=http://h/x>"
    assert absolve.make_links_absolute(memoryview(b"<a href=x>"), "http://h/") == b"<a href=http://h/x>"


@pytest.mark.parametrize("document", [b"<p>x", "<p>x", "<p>\u00fc", b"", "", "\udc80", b"<a href=http://h/>"])
def test_an_unchanged_document_is_the_same_object(document):
    assert absolve.make_links_absolute(document, "http://h/") is document
    assert absolve.rewrite(document) is document
    assert absolve.Rewriter().rewrite(document).content is document


def test_base_precedes_the_url():
    assert absolve.rewrite(PAGE, "http://h/a/b").startswith(b'<base href="http://h/docs/"><a href=http://h/docs/x>')


@pytest.mark.parametrize(
    "options, expected",
    [
        ({"to": "root-relative"}, b"<a href=/a/x?q#f>"),
        ({"to": "relative"}, b"<a href=x?q#f>"),
        ({"map": {"http://h/": "https://new.example/"}}, b"<a href=https://new.example/a/x?q#f>"),
        ({"map": [("http://h/", "https://new.example/")]}, b"<a href=https://new.example/a/x?q#f>"),
        ({"skip": "a[href]"}, b"<a href=x?q#f>"),
        ({"remove": "link", "remove_attribute": ["a[href]"]}, b"<a >"),
        ({"skip": "a[href]", "insert": {"head": "<i>", "body-end": "<b>"}}, b"<i><a href=x?q#f><b>"),
        ({"preset": "none"}, b"<a href=x?q#f>"),
        ({"preset": ["none"], "link": {"a[href]": "url"}}, b"<a href=http://h/a/x?q#f>"),
        ({"placeholders": ["?q"]}, b"<a href=x?q#f>"),
        ({"profile": "whatwg", "escape": "none"}, b"<a href=http://h/a/x?q#f>"),
    ],
)
def test_options(options, expected):
    assert absolve.rewrite(b"<a href=x?q#f>", "http://h/a/", **options) == expected
    assert absolve.Rewriter(**options).rewrite(b"<a href=x?q#f>", "http://h/a/").content == expected


def test_facts_about_a_document():
    assert absolve.rewrite(b"a{b:url(c)}", "http://h/d/", kind="css") == b"a{b:url(http://h/d/c)}"
    assert absolve.base(b"", default_base="http://h/") == "http://h/"
    assert absolve.base(b"", "http://h/", enclosing_base=["http://g/b/", "http://g/"]) == "http://g/b/"
    assert absolve.rewrite(b"<a href=\xfc>", "http://h/", encoding="latin1") == b"<a href=http://h/%C3%BC>"
    # A str is decoded already.
    assert absolve.rewrite('<meta charset=latin1><a href="\u00fc">', "http://h/", encoding="latin1") == (
        '<meta charset=latin1><a href="http://h/%C3%BC">'
    )


def test_a_lone_surrogate_is_one_malformed_character():
    """As a browser reads it, and as bytes are read that "surrogateescape" makes of it."""
    for surrogate in ("\ud800", "\udbff", "\udc80", "\udfff"):
        document = f"{surrogate}\u00e9\U0001f600{surrogate}\u00e9<a href='x{surrogate}y'>\U0001f600{surrogate}{surrogate}"
        expected = document.replace(f"x{surrogate}y", "http://h/x%EF%BF%BDy")
        assert absolve.make_links_absolute(document, "http://h/") == expected
        (link,) = absolve.links(document, "http://h/")
        assert (link.reference, document[link.start : link.end]) == ("x\ufffdy", f"x{surrogate}y")
    pair = "\ud83d\ude00"
    assert absolve.make_links_absolute(f"<a href={pair}>{pair}", "http://h/") == (
        f"<a href=http://h/%EF%BF%BD%EF%BF%BD>{pair}"
    )


def accepts(encoding):
    try:
        absolve.links(b"", encoding=encoding)
    except ValueError as error:
        assert str(error).startswith("encoding: unknown encoding: ")
        return False
    return True


def test_encodings_have_the_names_of_python():
    """Whatever name is accepted means the encoding that it is in Python."""
    accepted = set()
    aliases = encodings.aliases.aliases
    for name in sorted({*aliases, *aliases.values(), "latin-1", "UTF-8-SIG", "MacRoman"}):
        if not accepts(name):
            continue
        accepted.add(codecs.lookup(name).name)
        for letter in "\u00e9\u0456\u05d0\u0e01\u5b57\ud55c":
            try:
                page = f'<a href="{letter}">'.encode(name)
            except UnicodeEncodeError:
                continue
            links = absolve.links(page, encoding=name)
            # The standard has labels for ISO-2022-KR, but does not decode it.
            assert links.problem or [link.reference for link in links] == [letter], (name, letter)
    decoded = "ascii big5 cp1252 cp932 cp949 euc_jp gb18030 iso8859-1 iso8859-16 koi8-r mac-cyrillic utf-16-be utf-8-sig"
    assert accepted >= set(decoded.split())
    for name in ("utf-32", "cp437", "base64", "utf_7", "shift_jis_2004", "none", "\0", ""):
        assert not accepts(name)


def test_a_rewriter_is_its_options():
    options = {"map": {"http://h/": "http://g/"}, "skip": "img[src]", "limit": {"links": 10**9}, "normalize": True}
    rewriter = absolve.Rewriter(**options)
    page = b"<a href=x><img src=y>"
    for other in (
        absolve.Rewriter(**options),
        absolve.Rewriter(map=iter(options["map"].items()), skip=["img[src]"], limit=[("links", 10**9)], normalize=True),
        copy.deepcopy(rewriter),
        *(pickle.loads(pickle.dumps(rewriter, protocol)) for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)),
    ):
        assert other == rewriter and hash(other) == hash(rewriter)
        assert other.rewrite(page, "http://h/").content == b"<a href=http://g/x><img src=y>"
    assert rewriter != absolve.Rewriter(**options, lenient=True) and rewriter != 3
    assert absolve.Rewriter() == absolve.Rewriter(profile="rfc1808")


def test_other_processes_get_rewriters():
    rewriter = absolve.Rewriter(to="root-relative")
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        base = pool.apply(operator.methodcaller("base", PAGE, "http://h/a"), (rewriter,))
    assert base == "http://h/docs/"


def test_options_are_compiled_once():
    """Rewriters are kept by the values of their options, whatever objects have them."""
    for number in [*range(40), *range(40)]:
        attribute = f"data-{number % 20}"
        links = {f"*[{attribute}]": "url"}
        assert absolve.rewrite(f"<a {attribute}=x>", "http://h/", link=links) == f"<a {attribute}=http://h/x>"
        assert absolve.rewrite(f"<a {attribute}=x href=y>", "http://h/", link=iter(links.items()), skip={"a[href]"}) == (
            f"<a {attribute}=http://h/x href=y>"
        )
        links.clear()
        assert absolve.rewrite(f"<a {attribute}=x>", "http://h/", link=links) == f"<a {attribute}=x>"
    with pytest.raises(TypeError, match="^link: "):
        absolve.Rewriter(link=[["a[b]", "url"]])


FEED = b'<rss version="2.0"><channel><link>a</link></channel></rss>'
XHTML = b'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><title/><a href="b"/></html>'


@pytest.mark.parametrize(
    "document, kind",
    [
        (FEED, "xml"),
        (b'{"version": "https://jsonfeed.org/version/1.1", "home_page_url": "a"}', "json-feed"),
        (XHTML, "xml"),
        (XHTML.replace(b"/>", b">"), "html"),
        (XHTML.replace(b"/>", b">") + b" " * 20_000, "html"),
        (b" " * 20_000 + FEED, "html"),
        (PAGE, "html"),
        (b"a{b:url(c)}", "html"),
    ],
)
def test_the_kind_is_detected(document, kind):
    expected = absolve.rewrite(document, "http://h/", kind=kind)
    assert absolve.rewrite(document, "http://h/", kind="auto") == expected
    assert absolve.rewrite(document.decode(), "http://h/", kind="auto") == expected.decode()
    output = io.BytesIO()
    absolve.Rewriter().rewrite_stream(io.BytesIO(document), output, "http://h/", kind="auto")
    assert output.getvalue() == expected


def test_only_html_has_a_tree():
    with pytest.raises(ValueError, match="emit: only HTML has a tree"):
        absolve.rewrite(FEED, emit="tree", kind="auto")
    assert absolve.rewrite(b"<p>", emit="tree", kind="auto").endswith(b"<p></p></body></html>")


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: absolve.rewrite(b"", profile="rfc2396"), ["profile", "rfc2396", "rfc1808, rfc3986, whatwg"]),
        (lambda: absolve.rewrite(b"", to="nowhere"), ["to", "nowhere", "root-relative"]),
        (lambda: absolve.rewrite(b"", preset="lazzy"), ["preset", "lazzy", "lazy"]),
        (lambda: absolve.rewrite(b"", link={"a[b]": "urls"}), ["link", "urls", "srcset"]),
        (lambda: absolve.rewrite(b"", link={"a": "url"}), ["link", "img[src]"]),
        (lambda: absolve.rewrite(b"", skip="a["), ["skip", "img[src]"]),
        (lambda: absolve.rewrite(b"", map={"x": "http://h/"}), ["map", "absolute"]),
        (lambda: absolve.rewrite(b"", kind="pdf"), ["kind", "pdf", "html, css", "auto"]),
        (lambda: absolve.rewrite(b"", encoding="utf-9"), ["encoding", "utf-9"]),
        (lambda: absolve.rewrite(b"", "page.html"), ["url", "page.html", "https://"]),
        (lambda: absolve.rewrite(b"", default_base="/"), ["default_base", "https://"]),
        (lambda: absolve.rewrite(b"", "mailto:x"), ["url", "mailto:x", "non-hierarchical base URL"]),
        (lambda: absolve.rewrite(b"", "C:\\dir\\a.html"), ["url", "a path, not a URL", "file:///C:/"]),
        (lambda: absolve.rewrite(b"", map={"http://h/": "//g/"}), ["map", "//g/", "base URL without a scheme"]),
        (lambda: absolve.relative("x", "y"), ["base", "https://"]),
        (lambda: absolve.relative("http://h/", "y", form="z"), ["form", "path, root"]),
        (lambda: absolve.archive(b"<p>"), ["container"]),
    ],
)
def test_an_invalid_option_raises_an_error_that_names_it(call, words):
    with pytest.raises(ValueError) as error:
        call()
    for word in words:
        assert word in str(error.value)


def test_base_urls_that_only_browsers_accept():
    # URL Standard, "special authority ignore slashes state" and "path or authority state".
    assert absolve.base(b"", "http:/h/a", profile="whatwg") == "http://h/a"
    # RFC 8089 section 2: a file URL may have no authority.
    assert absolve.rewrite(b"<a href=z>", "file:/x/y") == b"<a href=file:/x/z>"
    assert absolve.rewrite(b"<a href=urn:a>", map={"urn:a": "urn:b"}) == b"<a href=urn:b>"


@pytest.mark.parametrize(
    "call",
    [
        lambda: absolve.rewrite(b"", colour="red"),
        lambda: absolve.Rewriter().rewrite(b"", colour="red"),
        lambda: absolve.rewrite(3),
        lambda: absolve.rewrite(None),
        lambda: absolve.rewrite(b"", map=3),
        lambda: list(absolve.rewrite_many([b""])),
        lambda: absolve.rewrite_many(3),
    ],
)
def test_a_wrong_type_raises_a_type_error(call):
    with pytest.raises(TypeError):
        call()


@pytest.mark.parametrize(
    "name, call",
    [
        ("url", lambda: absolve.make_links_absolute(b"", None)),
        ("url", lambda: absolve.links(b"", b"http://h/")),
        ("encoding", lambda: absolve.links(b"", encoding=3)),
        ("kind", lambda: absolve.links(b"", kind=3)),
        ("default_base", lambda: absolve.links(b"", default_base=3)),
        ("enclosing_base", lambda: absolve.links(b"", enclosing_base=[3])),
        ("skip", lambda: absolve.rewrite(b"", skip=3)),
        ("preset", lambda: absolve.rewrite(b"", preset=[3])),
        ("map", lambda: absolve.rewrite(b"", map={"http://h/": 3})),
        ("limit: links", lambda: absolve.rewrite(b"", limit={"links": "1"})),
        ("select", lambda: absolve.check(b"", select=3)),
        ("documents", lambda: list(absolve.rewrite_many([(b"",)]))),
        ("documents", lambda: list(absolve.links_arrow([(b"", None, None, None)]))),
        ("url", lambda: list(absolve.rewrite_many([(b"", 3)]))),
        ("Content-Type", lambda: list(absolve.links_arrow([(b"", None, 3)]))),
    ],
)
def test_a_type_error_names_the_argument(name, call):
    with pytest.raises(TypeError, match=f"^{name}: "):
        call()


@pytest.mark.parametrize("number", [-1, 2**70])
def test_a_number_that_is_no_count_is_a_value_error(number, tmp_path):
    for name, call in (
        ("limit: links", lambda: absolve.Rewriter(limit={"links": number})),
        ("limit: record-size", lambda: absolve.Rewriter(limit=[("record-size", number)])),
        ("threads", lambda: absolve.rewrite_many([], threads=number)),
        ("threads", lambda: absolve.links_arrow([], threads=number)),
        ("threads", lambda: absolve.check_site(tmp_path, threads=number)),
        ("threads", lambda: absolve.mirror(tmp_path, check=True, threads=number)),
        ("document_limit", lambda: absolve.warc_links_arrow(b"", document_limit=number)),
        ("record_limit", lambda: absolve.warc_links_arrow(b"", record_limit=number)),
    ):
        with pytest.raises(ValueError, match=f"^{name}: negative or too large: {number}"):
            call()


def test_the_type_error_of_an_iterator_is_raised_itself():
    def names():
        yield "a[href]"
        raise TypeError("mine")

    with pytest.raises(TypeError, match="^mine$"):
        absolve.Rewriter(skip=names())


def test_representations():
    rewriter, output = absolve.Rewriter(), io.BytesIO()
    assert repr(rewriter.rewrite(b"<a href=x>", "http://h/")) == '<Rewritten edited=1 base="http://h/">'
    assert repr(rewriter.rewrite(b"")) == '<Rewritten edited=0 base="">'
    assert repr(rewriter.rewrite_stream(b"<a href=x>", output, "http://h/")) == '<StreamReport edited=1 base="http://h/">'


def test_links():
    links = absolve.links(PAGE, "http://h/a/b")
    assert isinstance(links, collections.abc.Sequence)
    assert len(links) == len(list(links)) == 5
    assert [link.target for link in links[1:3]] == ["http://h/docs/x", "http://h/docs/a"]
    assert links[-1].reference == "#top"
    assert links.base == "http://h/docs/" and links.base.source == "embedded"
    with pytest.raises(IndexError):
        links[5]
    with pytest.raises(IndexError):
        links[-6]
    link = links[2]
    assert (link.element, link.attribute, link.grammar) == ("img", "srcset", "srcset")
    assert (link.base, link.base_source, link.status, link.reason) == ("http://h/docs/", "embedded", "resolved", None)
    assert PAGE[link.start : link.end] == b"a"


def test_links_unpack_like_those_of_lxml():
    assert [tuple(link) for link in absolve.iterlinks("<a href=x><img src=y>")] == [
        ("a", "href", "x", 8),
        ("img", "src", "y", 19),
    ]


def test_offsets_are_in_characters_of_a_str():
    document = "\u00fc" * 3000 + "<a href=\U0001f600>" + "\u4e2d" * 2000 + '<img src="\u00e9 1">'
    references = [document[link.start : link.end] for link in absolve.links(document, "http://h/")]
    assert references == ["\U0001f600", "\u00e9 1"]
    encoded = document.encode()
    references = [encoded[link.start : link.end] for link in absolve.links(encoded, "http://h/")]
    assert references == ["\U0001f600".encode(), "\u00e9 1".encode()]


def test_links_outlive_their_document():
    links = absolve.links(bytes(PAGE), "http://h/")
    link = links[1]
    del links
    assert link.reference == "x"


def test_the_base_url_knows_its_source():
    base = absolve.base("<base href=b/>", "http://h/a/c")
    assert isinstance(base, str) and base == "http://h/a/b/"
    assert base.source == "embedded"
    assert [candidate.source for candidate in base.candidates] == ["embedded", "retrieval"]
    assert [candidate.used for candidate in base.candidates] == [True, False]
    assert [candidate.completing for candidate in base.candidates] == [False, True]
    assert pickle.loads(pickle.dumps(base)).candidates == base.candidates
    none = absolve.base("<p>")
    assert none == "" and not none and none.source is None


def test_resolve_by_each_standard():
    base = "http://a/b/c/d;p?q#f"
    assert absolve.resolve(base, ";x") == "http://a/b/c/d;x"
    assert absolve.resolve(base, ";x", profile="rfc3986") == "http://a/b/c/;x"
    with pytest.raises(absolve.ResolveError, match="http://a b/"):
        absolve.resolve(base, "http://a b/", profile="whatwg")
    assert absolve.relative("http://h/a/b", "http://h/a/c") == "c"
    assert absolve.relative("http://h/a/b", "http://h/a/c", form="root") == "/a/c"


def test_check():
    (finding,) = absolve.check("\u00fc<a href=../../x>", "http://h/")
    assert finding.rule == "dots-above-root" and finding.reference == "../../x"
    assert (finding.start, finding.end) == (9, 16)
    assert finding.message and finding.help


def test_rules_are_selected():
    page = "<base href=b>\n<a href=../../x>"
    rules = lambda **options: {finding.rule: finding for finding in absolve.check(page, "http://h/", **options)}  # noqa: E731
    everything = rules()
    assert set(everything) == {"base-relative", "base-without-slash", "dots-above-root"}
    assert set(rules(select="base-relative,dots-above-root")) == {"base-relative", "dots-above-root"}
    assert set(rules(ignore=["base-relative", "base-without-slash"])) == {"dots-above-root"}
    assert {finding.severity for finding in everything.values()} == {"error"}
    severities = {rule: finding.severity for rule, finding in rules(warn=["base-relative"]).items()}
    assert severities == {"base-relative": "warning", "base-without-slash": "error", "dots-above-root": "error"}
    finding = everything["dots-above-root"]
    assert (finding.line, finding.column, finding.path) == (2, 9, None)
    with pytest.raises(ValueError, match="select: .*base-relativ.*use one of base-relative"):
        rules(select="base-relativ")


def test_xml_with_errors_is_read_on_request():
    feed = b"<rss><channel><link>/x</link><title>a & b</title></channel></rss>"
    assert absolve.rewrite(feed, "http://h/", kind="xml") is feed
    assert absolve.rewrite(feed, "http://h/", kind="xml", lenient=True) == feed.replace(b"/x", b"http://h/x", 1)


def test_the_tree_is_serialized_on_request():
    page = "<P CLASS=x><A HREF=y>\u00fc"
    expected = '<html><head></head><body><p class="x"><a href="http://h/y">\u00fc</a></p></body></html>'
    assert absolve.rewrite(page, "http://h/", emit="tree") == expected
    assert absolve.rewrite(page.encode("latin1"), "http://h/", emit="tree", encoding="latin1") == expected.encode("latin1")
    rewritten = absolve.Rewriter().rewrite(expected, emit="tree")
    assert rewritten.content is expected and not rewritten.changed
    rewritten = absolve.Rewriter().rewrite("<a href={{x}}>", "http://h/", emit="tree")
    assert rewritten.changed and [(link.reason, link.start) for link in rewritten.skipped] == [("placeholder", None)]
    with pytest.raises(ValueError, match="emit: only HTML has a tree"):
        absolve.rewrite(b"a{}", emit="tree", kind="css")
    with pytest.raises(ValueError, match="emit: .*source, tree"):
        absolve.rewrite(b"", emit="dom")


def test_limits_of_containers():
    body = gzip.compress(b"<a href=x>" * 100)
    dump = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n" + body
    links = lambda **options: [len(entity.links()) for entity in absolve.archive(dump, "http://h/", **options)]  # noqa: E731
    assert links() == [100]
    assert links(limit={"decoded-size": 500}) == [50]
    warc = b"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://h/\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n" % (len(dump), dump)
    assert [len(entity.links()) for entity in absolve.archive(warc)] == [100]
    assert list(absolve.archive(warc, limit={"record-size": 50})) == []
    with pytest.raises(ValueError, match="limit: .*base-length.*decoded-size, decoded-ratio, record-size"):
        links(limit={"decoded": 500})


def test_the_report_of_a_rewrite():
    rewritten = absolve.Rewriter().rewrite("<a href=x><a href={{y}}>\u00fc", "http://h/")
    assert rewritten.changed and rewritten.edited == 1
    assert rewritten.counts == {"resolved": 1, "absolute": 0, "skipped": 1, "beside": 0, "left": 0}
    (skipped,) = rewritten.skipped
    assert (skipped.reference, skipped.reason, skipped.target) == ("{{y}}", "placeholder", None)
    assert rewritten.base == "http://h/"
    assert rewritten.problem is None


def test_functions_decide_about_links():
    answers = {"a": None, "b": "q?x&y", "c": absolve.KEEP, "d": absolve.RESOLVE}
    document = b'<a href="a"><a href="b"><a href="c"><a href="d">'
    result = absolve.rewrite_links(document, lambda link: answers[link.reference], "http://h/")
    assert result == b'<a ><a href="q?x&amp;y"><a href="c"><a href="http://h/d">'


def test_the_exception_of_a_function_is_raised_once():
    calls = []

    def function(link):
        calls.append(link)
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        absolve.rewrite_links("<a href=x><a href=y>", function)
    assert len(calls) == 1
    with pytest.raises(TypeError, match="KEEP"):
        absolve.rewrite_links("<a href=x>", lambda link: 3)


def test_functions_may_call_absolve():
    def function(link):
        return absolve.rewrite_links(f"<a href={link.reference}>", lambda inner: inner.target, "http://h/")

    assert absolve.rewrite_links("<a href=x>", function) == '<a href="<a href=http://h/x>">'


def test_texts_that_are_no_links_are_replaced():
    texts = {"script[#text]": "text", "*[onclick]": "text"}
    page = "<script>a\r\n</script><p onclick='b'>"

    def replaced(new):
        return absolve.rewrite_links(page, lambda link: new if link.grammar == "text" else absolve.KEEP, link=texts)

    assert replaced("x<y && '") == "<script>x<y && '</script><p onclick='x<y &amp;&amp; &#39;'>"
    assert replaced("</script>") == "<script>a\r\n</script><p onclick='</script>'>"


def test_a_function_adds_attributes():
    page = '<a href=x DATA-a=1 title="t"><img srcset="x 1x, y 2x">'

    def decide(link):
        return "n", {"data-a": "2", "data-b": link.reference + '"&', "a b": "", "data-B": ""}

    expected = '<a data-b="x&quot;&amp;" href=n DATA-a=1 title="t"><img data-a="2" data-b="x&quot;&amp;" srcset="n 1x, n 2x">'
    assert absolve.rewrite_links(page, decide) == expected
    for answer in (("n",), ("n", "m"), ("n", {"a": 1}), (None, {})):
        with pytest.raises((TypeError, ValueError)):
            absolve.rewrite_links(page, lambda link: answer)


def test_the_example_for_zim_archives(monkeypatch):
    monkeypatch.syspath_prepend(support.ROOT / "python" / "examples")
    import openzim

    page = b'''<head><base href=/a/><script integrity=x src=../s.js?v=1></script><script>l(1<2)</script></head>
<a href=b/c#d>c</a><a href=//other/>o</a>'''
    rewriter = openzim.archive_rewriter(["http://h/a/", "http://h/s.js?v=1", "http://h/a/b/c"])
    expected = b'''<head><script src="/_zim_static/wombatSetup.js"></script><script data-original="../s.js?v=1"  src=../s.js%3Fv=1>\
</script><script>w(l(1<2))</script></head>
<a href=b/c#d>c</a><a data-original="//other/" href=http://other/>o</a>'''
    assert openzim.rewrite_page(rewriter, page, "http://h/a/", "w({})".format) == expected


def test_single_urls_are_mapped():
    """Whatever the number of URLs: a URL below one of them or spelled otherwise remains, a fragment is kept."""
    urls = {f"http://h/{number}": f"http://n/c/{number % 7}.html" for number in range(10_000)}
    page = "<a href=9999#f><a href=/d/x><a href=0/1><a href=HTTP://h/1><a href=#g><img srcset='8 1x, //h/9?q 2x'>"
    rewriter = absolve.Rewriter(map_url=urls, to="relative")
    expected = (
        "<a href=3.html#f><a href=http://h/d/x><a href=http://h/0/1><a href=HTTP://h/1><a href=#g>"
        "<img srcset='1.html 1x, http://h/9?q 2x'>"
    )
    assert rewriter.rewrite(page, "http://h/6").content == expected
    assert next(iter(rewriter.rewrite_many([(page, "http://h/6")]))) == expected
    # The page has no place of its own.
    assert rewriter.rewrite("<a href=1>", "http://h/x").content == "<a href=http://n/c/1.html>"
    with pytest.raises(ValueError, match="map_url"):
        absolve.Rewriter(map_url={"a": "http://h/"})


def test_originals_are_kept():
    page = '<img src=x srcset="a 1x"><p style="x:url(a)"><a href="y&amp;z"><a data-o=1 href=x><a href=http://h/>'
    expected = (
        '<img data-o="x" src=http://h/x srcset="http://h/a 1x"><p style="x:url(http://h/a)"><a data-o="y&amp;z" '
        'href="http://h/y&amp;z"><a data-o=1 href=http://h/x><a href=http://h/>'
    )
    assert absolve.rewrite(page, "http://h/", keep_original="data-o") == expected
    output = io.BytesIO()
    rewriter = absolve.Rewriter(keep_original="data-o")
    rewriter.rewrite_stream(page.encode(), output, "http://h/", encoding="utf-8")
    assert output.getvalue() == expected.encode()
    for name in ("src", "data-a b", "data-<"):
        with pytest.raises(ValueError, match="keep_original"):
            absolve.Rewriter(keep_original=name)


def test_functions_for_grammars():
    page = "<a href=x><img srcset='y 1x'><script>z</script>"
    functions = {"text": lambda link: f"({link.reference})", "srcset": lambda link: absolve.KEEP}
    expected = "<a href=http://h/x><img srcset='y 1x'><script>(z)</script>"
    assert absolve.rewrite_links(page, functions, "http://h/", link={"script[#text]": "text"}) == expected
    with pytest.raises(ZeroDivisionError):
        absolve.rewrite_links(page, {"url": lambda link: 1 / 0})


def test_pages_of_a_site_have_the_urls_of_their_folders(tmp_path):
    """Whatever generates the site. Files in which nothing changes are not written."""
    from absolve._site import rewrite_pages

    (tmp_path / "a").mkdir()
    pages = [tmp_path / "index.html", tmp_path / "a" / "index.html", tmp_path / "a" / "other-index.html"]
    for page in pages:
        page.write_text("<a href='?q'>")
    unchanged = tmp_path / "unchanged.html"
    unchanged.write_text("<p>")
    before = unchanged.stat()
    rewrite_pages(absolve.Rewriter(profile="whatwg"), "http://h/", tmp_path, [*pages, unchanged])
    urls = ("http://h/", "http://h/a/", "http://h/a/other-index.html")
    assert [page.read_text() for page in pages] == [f"<a href='{url}?q'>" for url in urls]
    after = unchanged.stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_containers():
    message = b"Content-Type: text/html\r\nContent-Location: http://a/b/c\r\n\r\n<a href=d>d</a>"
    archive = absolve.archive(message)
    (entity,) = archive
    assert (entity.url, entity.base, entity.kind) == ("http://a/b/c", "http://a/b/c", "html")
    assert entity.document == b"<a href=d>d</a>"
    assert entity.rewrite().content == b"<a href=http://a/b/d>d</a>"
    assert [link.target for link in entity.links()] == ["http://a/b/d", "http://a/b/c"]
    assert archive.errors == []
