"""Test cases of lxml and w3lib, through the functions that replace theirs.

Cases in which absolve deviates are listed with their reasons in `fixtures/peers/deviations.tsv`. `test_scrapy.py` compares
with Scrapy itself.
"""

import collections
import csv
import json

import absolve
import support


def cases(file, function):
    """Returns the cases of a function that are not listed as deviations."""
    with open(support.FIXTURES / "peers" / "deviations.tsv", newline="") as table:
        rows = csv.reader(table, delimiter="\t", quoting=csv.QUOTE_NONE)
        listed = {(row[1], int(row[2])) for row in rows if row and row[0] == file}
    seen, found = collections.Counter(), []
    for line in (support.corpora() / "peers" / file).read_text().splitlines():
        row = json.loads(line)
        seen[row["name"]] += 1
        if row["options"]["function"] == function and (row["name"], seen[row["name"]]) not in listed:
            found.append(row)
    assert found
    return found


def references(document):
    return [link.reference for link in absolve.links(document)]


def document_of(row):
    """Returns the document of a case of w3lib, and its encoding."""
    document = row["input_html"]
    if "input_html was bytes" not in (row.get("notes") or ""):
        return document, None
    encoding = row["options"].get("encoding") or "utf-8"
    return document.encode("latin1"), {"latin-1": "latin1", "iso2022_jp": "iso-2022-jp"}.get(encoding, encoding)


def test_base_is_get_base_url_of_w3lib():
    for row in cases("w3lib.jsonl", "get_base_url"):
        document, encoding = document_of(row)
        found = absolve.base(document, row["base"] or None, encoding=encoding, profile="whatwg")
        # The URL Standard writes the empty path as a slash.
        assert found.rstrip("/") == row["expected"].rstrip("/"), row["name"]


def test_the_link_of_a_refresh_is_get_meta_refresh_of_w3lib():
    for row in cases("w3lib.jsonl", "get_meta_refresh"):
        document, encoding = document_of(row)
        options = {"encoding": encoding, "profile": "whatwg", "normalize": True}
        links = absolve.links(document, row["base"] or None, **options)
        target = next((link.target for link in links if link.grammar == "refresh"), None)
        # The URL Standard writes the empty path as a slash.
        assert (target or "").rstrip("/") == (row["expected"][1] or "").rstrip("/"), row["name"]


def test_iterlinks_is_that_of_lxml():
    for row in cases("lxml.jsonl", "iterlinks"):
        # The list of lxml is in another order, and has offsets in values.
        expected = sorted(line.rsplit("@", 1)[0] for line in row["expected"].splitlines())
        names = {"#text": "None"}
        found = sorted(
            f'{element} {names.get(attribute, attribute)}="{reference}"'
            for element, attribute, reference, _ in absolve.iterlinks(row["input_html"])
        )
        assert found == expected, row["name"]


def test_make_links_absolute_is_that_of_lxml():
    for row in cases("lxml.jsonl", "make_links_absolute"):
        # An option to remove what is not a URL.
        if row["options"].get("handle_failures") != "discard":
            found = absolve.make_links_absolute(row["input_html"], row["base"])
            assert references(found) == references(row["expected"]), row["name"]


def test_rewrite_links_is_that_of_lxml():
    def moved(link):
        # lxml removes BASE.
        return None if link.element == "base" else link.target.replace("http://old", "https://new")

    for row in cases("lxml.jsonl", "rewrite_links"):
        found = absolve.rewrite_links(row["input_html"], moved, row["base"])
        assert references(found) == references(row["expected"]), row["name"]


def test_trees_of_lxml_have_the_values_that_lxml_expects():
    try:
        import lxml.html

        from absolve.lxml import make_links_absolute
    except ImportError:
        support.missing("lxml")

    def values(tree):
        return [(element.tag, element.items()) for element in tree.iter()]

    options = {"make_links_absolute": {}, "rewrite_links": {"map": {"http://old": "https://new"}}}
    for function, settings in options.items():
        for row in cases("lxml.jsonl", function):
            # An option to remove what is not a URL.
            if row["options"].get("handle_failures") != "discard":
                tree = lxml.html.document_fromstring(row["input_html"])
                make_links_absolute(tree, row["base"], base_element="remove", **settings)
                assert values(tree) == values(lxml.html.document_fromstring(row["expected"])), row["name"]
