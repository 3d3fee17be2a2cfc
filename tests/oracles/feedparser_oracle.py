"""Compares feeds with their rewritten forms, as feedparser and libxml2 read them.

Reads lines from standard input: the file of the original, the file of the rewritten feed, the URL of the original.
Prints the number of feeds compared, and a line for each difference: the original, and the field.

feedparser resolves links itself. What it reads from the rewritten feed at any other URL must be what it reads from the
original at its own URL.
"""

import sys
import warnings

import feedparser
import lxml.etree

OTHER_URL = "http://other.invalid/o/p"
# Facts about the retrieval, and the base URL itself.
IGNORED = {"base", "bozo", "bozo_exception", "headers"}


def parse(path, url):
    with open(path, "rb") as file:
        content = file.read()
    headers = {"content-type": "application/xml", "content-location": url}
    return feedparser.parse(content, response_headers=headers, sanitize_html=False)


def differences(first, second, field=""):
    """Yields the fields in which two results differ."""
    if isinstance(first, dict) and isinstance(second, dict):
        for key in sorted(set(first) | set(second), key=str):
            if key not in IGNORED:
                yield from differences(first.get(key), second.get(key), f"{field}.{key}")
    elif isinstance(first, list) and isinstance(second, list) and len(first) == len(second):
        for one, other in zip(first, second):
            yield from differences(one, other, field)
    elif first != second:
        yield field


def nodes(path):
    """Returns the nodes of a document with everything but the values of attributes and text."""
    parser = lxml.etree.XMLParser(no_network=True, resolve_entities=False, huge_tree=True)
    return [
        (node.tag if isinstance(node.tag, str) else node.tag.__name__, sorted(getattr(node, "attrib", ())))
        for node in lxml.etree.parse(path, parser).getroot().iter()
    ]


def main():
    warnings.simplefilter("ignore")
    compared = 0
    for line in sys.stdin:
        original, rewritten, url = line.rstrip("\n").split("\t")
        fields = set(differences(parse(original, url), parse(rewritten, OTHER_URL)))
        try:
            if nodes(original) != nodes(rewritten):
                fields.add("nodes")
        except lxml.etree.XMLSyntaxError:
            # Namespace errors, which are no errors of well-formedness.
            pass
        compared += 1
        for field in sorted(fields):
            print(original, field, sep="\t")
    print(compared)


main()
