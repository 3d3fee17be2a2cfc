"""Compares the canonical forms of XML documents and of their rewritten forms, as libxml2 makes them.

Reads lines from standard input: the file of the original, and the file of the rewritten document. Gives each value that
differs the text of the original; the canonical forms must be equal then. Prints the original, and for each value its element
and its attribute, which is "#text" for text. Prints "-" instead if the forms are not equal, and at the end the number of
documents.
"""

import sys

from lxml import etree


def local_name(name):
    """Returns the name of an element or attribute without its namespace; of other nodes, that of their kind."""
    return etree.QName(name).localname if isinstance(name, str) else name.__name__


def parse(path):
    parser = etree.XMLParser(no_network=True, load_dtd=False, resolve_entities=False, huge_tree=True)
    return etree.parse(path, parser)


def nodes(tree):
    """Returns the nodes in document order, with the comments and processing instructions around the root."""
    root = tree.getroot()
    before = list(root.itersiblings(preceding=True))
    return [*reversed(before), *root.iter(), *root.itersiblings()]


def canonical(tree):
    try:
        return etree.tostring(tree, method="c14n")
    except etree.C14NError:
        # A relative namespace name has no canonical form.
        return etree.tostring(tree)


def differences(original, rewritten):
    """Returns the values that differ; `None` if anything else does."""
    first, second = parse(original), parse(rewritten)
    values = set()
    for one, other in zip(nodes(first), nodes(second)):
        name = local_name(one.tag)
        # Those of a processing instruction are part of its text.
        for attribute, value in one.attrib.items() if isinstance(one.tag, str) else ():
            if other.attrib.get(attribute, value) != value:
                other.attrib[attribute] = value
                values.add((name, local_name(attribute)))
        if one.tag is not etree.Entity and one.text != other.text:
            other.text = one.text
            values.add((name, "#text"))
        # Text after a child belongs to the element around it.
        if one.tail != other.tail:
            parent = one.getparent()
            other.tail = one.tail
            values.add(("" if parent is None else local_name(parent.tag), "#text"))
    return values if canonical(first) == canonical(second) else None


def main():
    compared = 0
    for line in sys.stdin:
        original, rewritten = line.rstrip("\n").split("\t")
        try:
            values = differences(original, rewritten)
        except etree.XMLSyntaxError:
            # Namespace errors, which are no errors of well-formedness.
            continue
        compared += 1
        for name, attribute in sorted(values) if values is not None else [("-", "-")]:
            print(original, name, attribute, sep="\t")
    print(compared)


main()
