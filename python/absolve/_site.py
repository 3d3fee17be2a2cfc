"""Pages of a site that a generator writes, for the plugins of the generators."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable, Mapping
from urllib.parse import quote

from ._absolve import Rewriter, write_file

if TYPE_CHECKING:
    import pathlib


def page_rewriter(options: Mapping[str, Any]) -> Rewriter:
    """Returns the rewriter for pages of a site.

    Fragment-only references that name the page itself remain, so that they work in previews, too.
    """
    return Rewriter(**{"fragments": "auto", **options})


def page_url(site_url: str, path: str) -> str:
    """Returns the URL of a file of a site; that of its directory for ``index.html``."""
    url = f"{site_url.rstrip('/')}/{quote(path)}"
    return url.removesuffix("index.html") if url.endswith("/index.html") else url


def rewrite_pages(rewriter: Rewriter, site_url: str, directory: pathlib.Path, pages: Iterable[pathlib.Path]) -> None:
    """Rewrites files of a directory that is published under a URL."""
    files = list(pages)
    urls = [page_url(site_url, file.relative_to(directory).as_posix()) for file in files]
    # Read twice, because the documents of a large site are more than memory should hold.
    documents = ((file.read_bytes(), url) for file, url in zip(files, urls))
    for file, content in zip(files, rewriter.rewrite_many(documents)):
        if content != file.read_bytes():
            write_file(file, content)
