"""Test cases of lxml and w3lib, through the functions that replace theirs.

Cases in which absolve deviates are listed with their reasons in `fixtures/peers/deviations.tsv`.
"""

import collections
import csv
import json

import absolve
import support


def cases(file):
    """Returns the rows of a file that are not listed as deviations."""
    with open(support.FIXTURES / "peers" / "deviations.tsv", newline="") as table:
        rows = csv.reader(table, delimiter="\t", quoting=csv.QUOTE_NONE)
        listed = {(row[1], int(row[2])) for row in rows if row and row[0] == file}
    seen = collections.Counter()
    for line in (support.corpora() / "peers" / file).read_text().splitlines():
        row = json.loads(line)
        seen[row["name"]] += 1
        if (row["name"], seen[row["name"]]) not in listed:
            yield row


def test_base_is_get_base_url_of_w3lib():
    compared = 0
    for row in cases("w3lib.jsonl"):
        if row["options"]["function"] != "get_base_url":
            continue
        document, encoding = row["input_html"], None
        if "input_html was bytes" in (row.get("notes") or ""):
            document = document.encode("latin1")
            encoding = {"latin-1": "latin1", "iso2022_jp": "iso-2022-jp"}.get(
                row["options"].get("encoding"), row["options"].get("encoding") or "utf-8"
            )
        found = absolve.base(document, row["base"] or None, encoding=encoding, profile="whatwg")
        # The URL Standard writes the empty path as a slash.
        assert found.rstrip("/") == row["expected"].rstrip("/"), row["name"]
        compared += 1
    assert compared > 20


def test_iterlinks_is_that_of_lxml():
    compared = 0
    for row in cases("lxml.jsonl"):
        if row["options"]["function"] != "iterlinks":
            continue
        # The list of lxml is in another order, and has offsets in values.
        expected = sorted(line.rsplit("@", 1)[0] for line in row["expected"].splitlines())
        names = {"#text": "None"}
        found = sorted(
            f'{element} {names.get(attribute, attribute)}="{reference}"'
            for element, attribute, reference, _ in absolve.iterlinks(row["input_html"])
        )
        assert found == expected, row["name"]
        compared += 1
    assert compared > 0


def test_make_links_absolute_is_that_of_lxml():
    compared = 0
    for row in cases("lxml.jsonl"):
        if row["options"]["function"] != "make_links_absolute" or row["options"].get("handle_failures") == "discard":
            continue
        targets = lambda document: [link.reference for link in absolve.links(document)]
        found = absolve.make_links_absolute(row["input_html"], row["base"])
        assert targets(found) == targets(row["expected"]), row["name"]
        compared += 1
    assert compared > 0
