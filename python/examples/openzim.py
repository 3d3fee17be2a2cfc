"""Makes an entry of a ZIM archive from a page: python openzim.py PAGE URL"""

import pathlib
import sys
from typing import Callable, Dict, Iterable, Literal, Union
from urllib.parse import urlsplit

import absolve

HEAD = '<script src="/_zim_static/wombatSetup.js"></script>'
TEXTS = {"script[#text]": "text", "script[type=importmap][#text]": "json-importmap", "*[onclick]": "text"}


def places(urls: Iterable[str]) -> Dict[str, str]:
    """Returns the places of the entries for some URLs, as URLs of one host: the path has host, path and query."""
    entries = {}
    for url in urls:
        parts = urlsplit(url)
        query = f"%3F{parts.query}" if parts.query else ""
        entries[url] = f"https://zim.invalid/{parts.netloc}{parts.path or '/'}{query}"
    return entries


def archive_rewriter(urls: Iterable[str]) -> absolve.Rewriter:
    """Returns the rewriter for an archive with entries for these URLs. Links to them become relative."""
    return absolve.Rewriter(
        map_url=places(urls),
        to="relative",
        keep_original="data-original",
        link=TEXTS,
        insert={"head": HEAD},
        remove_attribute="*[integrity]",
        base_element="remove",
    )


def rewrite_page(rewriter: absolve.Rewriter, html: bytes, url: str, script: Callable[[str], str]) -> bytes:
    """Rewrites a page for its entry, and its scripts by a function, which is not called for links."""

    def decide(link: absolve.Link) -> Union[str, Literal[True]]:
        return script(link.reference) if link.reference else absolve.RESOLVE

    return rewriter.rewrite_links(html, {"text": decide}, url)


if __name__ == "__main__":
    page = pathlib.Path(sys.argv[1]).read_bytes()
    rewriter = archive_rewriter([sys.argv[2]])
    sys.stdout.buffer.write(rewrite_page(rewriter, page, sys.argv[2], lambda text: text))
