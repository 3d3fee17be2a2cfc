"""A link extractor for Scrapy with the base URLs and links of absolve.

``absolve.scrapy.LinkExtractor`` takes the arguments of ``scrapy.linkextractors.LinkExtractor`` and can be used in its place,
in a ``Rule`` or alone:

>>> from absolve.scrapy import LinkExtractor
>>> from scrapy.http import HtmlResponse
>>> page = '<img srcset="a.png 1x, b.png 2x"><a href="next">'
>>> response = HtmlResponse("http://h/d/", body=page, encoding="utf-8")
>>> extractor = LinkExtractor(tags=("a", "img"), attrs=("href", "srcset"), deny_extensions=())
>>> [link.url for link in extractor.extract_links(response)]
['http://h/d/a.png', 'http://h/d/b.png', 'http://h/d/next']

Differences:

* BASE counts if it is an element of the page, however long the page is. Scrapy searches the first 4,096 characters for text
  that looks like BASE, which may be in a STYLE, a TEMPLATE or, with w3lib before 2.5, in a script.
* References are resolved by the URL Standard, as browsers resolve them.
* An attribute that contains several references, such as ``srcset``, ``ping`` or the ``content`` of a refresh, results in one
  link for each. Scrapy takes its value for one URL.
* References that have no target are not extracted: invalid URLs, an empty ``src``, template placeholders such as ``{{ url }}``.
* ``strip`` matters for attributes only that are not in the link tables of absolve.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Iterator
from urllib.parse import urljoin

try:
    from scrapy.link import Link
    from scrapy.linkextractors.lxmlhtml import LxmlLinkExtractor
    from scrapy.utils.misc import rel_has_nofollow
    from scrapy.utils.python import unique
    from w3lib.html import strip_html5_whitespace
    from w3lib.url import safe_url_string
except ImportError:
    raise ImportError("absolve.scrapy needs Scrapy: pip install 'absolve[scrapy]'") from None

import absolve

from .lxml import TreeRewrite

if TYPE_CHECKING:
    from scrapy.http import TextResponse

__all__ = ["LinkExtractor"]

class LinkExtractor(LxmlLinkExtractor):
    """Extracts links from responses, like ``scrapy.linkextractors.LinkExtractor``, whose arguments it has."""

    def extract_links(self, response: TextResponse) -> list[Link]:
        """Returns the links of a response that match the arguments of the extractor."""
        roots = [response.selector.root]
        if self.restrict_xpaths:
            roots = [selector.root for xpath in self.restrict_xpaths for selector in response.xpath(xpath)]
        page = Page(response)
        links: list[Link] = []
        for root in roots:
            found = self.link_extractor._deduplicate_if_needed(list(self._links(root, page)))
            links.extend(self._process_links(found))
        return unique(links, key=self.link_extractor.link_key) if self.link_extractor.unique else links

    def _links(self, root: Any, page: Page) -> Iterator[Link]:
        """Yields the links in an element, before any filter but that for tags and attributes."""
        parser = self.link_extractor
        for element, attribute, value in parser._iter_links(root):
            for target in page.targets(element, attribute, strip_html5_whitespace(value) if parser.strip else value):
                url = parser.process_attr(target)
                if url is None:
                    continue
                try:
                    url = urljoin(page.response.url, safe_url_string(url, encoding=page.response.encoding))
                except ValueError:
                    continue
                yield Link(url, element.xpath("string()"), nofollow=rel_has_nofollow(element.get("rel")))


class Page:
    """The links of a response, by element and attribute."""

    def __init__(self, response: TextResponse) -> None:
        self.response = response
        url = response.url if "://" in response.url else None
        tree = TreeRewrite(response.selector.root, url, False, {"profile": "whatwg"})
        self.base = tree.links.base
        self.links: defaultdict[tuple[Any, str | None], list[absolve.Link]] = defaultdict(list)
        for link in tree.tree_links():
            self.links[link.element, link.attribute].append(link.details)

    def targets(self, element: Any, attribute: str, value: str) -> Iterator[str]:
        """Yields the targets in an attribute; that of its value if it is not in the link tables."""
        links = self.links.get((element, attribute))
        if links is None:
            yield from self.target(self.base, value)
        for link in links or ():
            if link.target is not None and link.reference.isascii():
                yield link.target
            elif link.target is not None:
                yield from self.target(link.base or "", link.reference)

    def target(self, base: str, reference: str) -> Iterator[str]:
        """Yields the target of a reference, if it has one. Its query is in the encoding of the response."""
        try:
            encoded = safe_url_string(reference, encoding=self.response.encoding)
            yield absolve.resolve(base, encoded, profile="whatwg")
        except ValueError:
            return
