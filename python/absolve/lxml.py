"""Links of lxml trees, by the rules of absolve: for programs that hold a tree already.

>>> import lxml.html
>>> from absolve.lxml import iterlinks, make_links_absolute
>>> tree = lxml.html.document_fromstring('<base href="/docs/"><a href="x">x</a><img srcset="a 1x, b 2x">')
>>> [(element.tag, attribute, link, pos) for element, attribute, link, pos in iterlinks(tree, "http://h/")]
[('base', 'href', '/docs/', 0), ('a', 'href', 'x', 0), ('img', 'srcset', 'a', 0), ('img', 'srcset', 'b', 6)]
>>> make_links_absolute(tree, "http://h/")
<Links: 4>
>>> tree.find(".//img").get("srcset")
'http://h/docs/a 1x, http://h/docs/b 2x'

Trees of ``lxml.html`` and ``lxml.etree`` work: elements without a namespace and those of XHTML are HTML. Differences from
the functions of ``lxml.html``:

* The base URL is that of the first BASE in HEAD (RFC 1808 section 10), completed with the URL of the document. lxml takes
  the last BASE anywhere, also one in SVG or in a template, and does not complete it.
* BASE remains, with an absolute URL. lxml removes it, as ``base_element="remove"`` does here.
* A link that cannot be resolved is left as it is, without an exception.
* The link tables of absolve apply: ``srcset``, ``poster``, ``ping``, ``formaction`` and ``srcdoc`` are links as well, and
  values that only look like links are not, such as ``usemap``, ``for`` and ``profile``.
* Links are in document order. lxml reverses those in one value.
* Each link is as it was written. lxml joins those of OBJECT with its ``codebase``.
* An empty value is a link only where it refers to the base URL.

Two limits: lxml does not accept control characters such as form feeds in a new value, so a value that contains them is left
as it is. And lxml does not know reliably in which encoding a page was. ``encoding="windows-1252"`` writes the non-ASCII
characters of queries as browsers do for such a page; the default is UTF-8.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, Iterator

try:
    from lxml import etree
except ImportError:
    raise ImportError("absolve.lxml needs lxml: pip install 'absolve[lxml]'") from None

from ._absolve import rewrite_nodes
from ._functions import prepared

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._absolve import Link, Links
    from ._types import AllOptions

__all__ = ["TreeLink", "iterlinks", "make_links_absolute"]


@dataclasses.dataclass(frozen=True)
class TreeLink:
    """A link of a tree, which unpacks as the tuples of lxml: ``element, attribute, link, pos``."""

    element: Any
    """The element."""
    attribute: str | None
    """The name of the attribute; ``None`` for the text of the element."""
    link: str
    """The reference as it is written in the value."""
    pos: int | None
    """The offset of the link in the value, in characters; ``None`` if the link is not one piece of it."""
    details: Link
    """The link with its target, its base URL, and the reason if it is skipped."""

    def __iter__(self) -> Iterator[Any]:
        return iter((self.element, self.attribute, self.link, self.pos))


def make_links_absolute(tree: Any, base_url: str | None = None, **options: Unpack[AllOptions]) -> Links:
    """Makes the links of an element and its descendants, or of an ``ElementTree``, absolute in place.

    The base URL is that of the whole document, which contains the element. ``base_url`` is the URL of the document; the
    default is the one with which lxml parsed it, if that is absolute. Returns the links as they were, with what became of
    them.
    """
    found = TreeRewrite(tree, base_url, True, options)
    found.apply()
    return found.links


def iterlinks(tree: Any, base_url: str | None = None, **options: Unpack[AllOptions]) -> Iterator[TreeLink]:
    """Iterates over the links of an element and its descendants, or of an ``ElementTree``, in document order.

    Each unpacks as ``element, attribute, link, pos``, and ``details`` has its target. The arguments are those of
    :func:`make_links_absolute`.
    """
    return TreeRewrite(tree, base_url, False, options).tree_links()


class TreeRewrite:
    """The links of a tree, and changes that are not applied yet."""

    def __init__(self, tree: Any, base_url: str | None, writes: bool, options: AllOptions) -> None:
        start = tree.getroot() if hasattr(tree, "getroot") else tree
        document = start.getroottree()
        if base_url is None and "://" in (document.docinfo.URL or ""):
            base_url = document.docinfo.URL
        rewriter, facts = prepared(options)
        self.elements: list[Any] = []
        nodes = _nodes(document.getroot(), self.elements)
        self.changes, self.links, self.places = rewrite_nodes(rewriter, nodes, writes, base_url, **facts)
        # BASE is a property of the whole document, so all of it is read; what is outside the argument is not changed.
        self.contains = (lambda _: True) if start is document.getroot() else set(start.iter()).__contains__

    def tree_links(self) -> Iterator[TreeLink]:
        for details, (node, index) in zip(self.links, self.places):
            element = self.elements[node]
            if not self.contains(element):
                continue
            attribute, value = (None, _text(element)) if index is None else element.items()[index]
            yield TreeLink(element, attribute, details.reference, _characters(value, details.start), details)

    def apply(self) -> None:
        # Names before any change, because removing an attribute changes the indexes of others.
        changes = [
            (kind, self.elements[node], index if index is None else self.elements[node].keys()[index], value)
            for kind, node, index, value in self.changes
        ]
        trial = etree.Element("trial")
        for kind, element, attribute, value in changes:
            if self.contains(element):
                try:
                    trial.text = value
                except ValueError:
                    # lxml refuses control characters, which a value can only contain if it did before. A failed
                    # assignment to the text of an element would remove it.
                    continue
                _change(kind, element, attribute, value)


def _nodes(root: Any, elements: list[Any]) -> Iterator[tuple[int, str | None, list[tuple[str, str]], str | None, bool]]:
    """Yields the elements and comments of a tree for Rust, and appends them to a list."""
    depth = 0
    for event, element in etree.iterwalk(root, events=("start", "end", "comment")):
        if event == "end":
            depth -= 1
        elif event == "comment":
            elements.append(element)
            yield depth, None, [], element.text, True
        else:
            elements.append(element)
            tag = element.tag
            # The only elements whose text may contain links.
            text = _text(element) if tag.endswith(("style", "script", "noframes")) else None
            yield depth, tag, element.items(), text, not len(element)
            depth += 1


def _text(element: Any) -> str:
    """Returns the text of an element without that of its descendants."""
    return "".join([element.text or "", *(child.tail or "" for child in element)])


def _characters(value: str, start: int | None) -> int | None:
    """Returns an offset in characters for one in bytes of UTF-8."""
    return start if start is None or value.isascii() else len(value.encode()[:start].decode())


def _change(kind: str, element: Any, attribute: str | None, value: str | None) -> None:
    """Applies one change to an element or comment."""
    if kind == "text":
        element.text = value
    elif kind == "attribute" and value is None:
        del element.attrib[attribute]
    elif kind == "attribute":
        element.set(attribute, value)
    elif kind == "base-href":
        element.set("href", value)
    elif kind == "insert-base":
        base = element.makeelement(element.tag[: -len("head")] + "base", {"href": value})
        # The BASE is the first child, before the text.
        base.tail, element.text = element.text, None
        element.insert(0, base)
    else:
        _remove(element)


def _remove(element: Any) -> None:
    """Removes an element, but not the text after it."""
    parent, previous = element.getparent(), element.getprevious()
    if element.tail and previous is not None:
        previous.tail = (previous.tail or "") + element.tail
    elif element.tail:
        parent.text = (parent.text or "") + element.tail
    parent.remove(element)
