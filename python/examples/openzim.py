"""Makes an entry of a ZIM archive from a page: python openzim.py PAGE URL"""

import functools
import pathlib
import posixpath
import sys
from typing import Callable, Dict, Literal, Set, Tuple, Union
from urllib.parse import urlsplit

import absolve

HEAD = '<script src="/_zim_static/wombatSetup.js"></script>'
TEXTS = {"script[#text]": "text", "script[type=importmap][#text]": "json-importmap", "*[onclick]": "text"}


@functools.lru_cache(1 << 16)
def entry_path(url: str) -> str:
    """Returns the path of the entry for a URL: host, path and query."""
    parts = urlsplit(url)
    return parts.netloc + (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


@functools.lru_cache(1 << 16)
def relative(path: str, start: str) -> str:
    """Returns the reference to an entry from another one in the folder `start`."""
    return posixpath.relpath(path, start).replace("?", "%3F")


def rewrite_page(html: bytes, url: str, script: Callable[[str], str], entries: Set[str]) -> bytes:
    """Rewrites a page for its entry: links to the entries of the archive, and its scripts by a function."""
    start = posixpath.dirname(entry_path(url)) or "/"

    def decide(link: absolve.Link) -> Union[str, Tuple[str, Dict[str, str]], Literal[True]]:
        if link.grammar == "text":
            return script(link.reference) if link.reference else absolve.RESOLVE
        target, hash_sign, fragment = (link.target or link.reference).partition("#")
        path = entry_path(target)
        if path not in entries:
            return absolve.RESOLVE
        written = relative(path, start) + hash_sign + fragment
        return (written, {"data-original": link.reference}) if link.grammar == "url" else written

    return absolve.rewrite_links(
        html, decide, url, link=TEXTS, insert={"head": HEAD}, remove_attribute="*[integrity]", base_element="remove"
    )


if __name__ == "__main__":
    page = pathlib.Path(sys.argv[1]).read_bytes()
    sys.stdout.buffer.write(rewrite_page(page, sys.argv[2], lambda text: text, {entry_path(sys.argv[2])}))
