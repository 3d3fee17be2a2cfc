"""A plugin for Pelican that makes links in feeds absolute, and those of pages if desired.

Feed readers show articles far from the site, where references such as ``images/a.png`` or ``#fn:1`` lead nowhere. Each
article in a feed is rewritten with its own URL. In ``publishconf.py``, where ``SITEURL`` is set::

    PLUGINS = ["absolve.pelican"]

========================  =========  =================================================================================
setting                   default
========================  =========  =================================================================================
``ABSOLVE_FEEDS``         ``True``   whether the articles in feeds are rewritten
``ABSOLVE_PAGES``         ``False``  whether the HTML files of the site are rewritten, each with its own URL
``ABSOLVE_OPTIONS``       ``{}``     options of ``absolve.Rewriter``, such as ``{"preset": "lazy"}``
========================  =========  =================================================================================

``"to"`` applies to pages only: ``{"to": "relative"}`` writes references relative to the page, which work below any
path. In pages, references such as ``#top`` remain by default (``"fragments": "auto"``). Without an absolute ``SITEURL``, as in
development, nothing changes.
"""

from __future__ import annotations

import pathlib
from typing import Any

try:
    from pelican.plugins import signals
except ImportError:
    raise ImportError("absolve.pelican needs Pelican: pip install 'absolve[pelican]'") from None

import absolve

from ._absolve import write_file
from ._site import page_rewriter, page_url

__all__ = ["register"]


def register() -> None:
    """Connects the plugin, which Pelican calls."""
    signals.initialized.connect(_check_options)
    signals.feed_generated.connect(_rewrite_feed)
    signals.content_written.connect(_rewrite_page)


def _check_options(pelican: Any) -> None:
    """Raises the error of an invalid option before anything is written."""
    page_rewriter(pelican.settings.get("ABSOLVE_OPTIONS", {}))


def _rewrite_feed(context: dict[str, Any], feed: Any) -> None:
    """Rewrites the articles of a feed."""
    if not context.get("ABSOLVE_FEEDS", True) or not _is_absolute(context["SITEURL"]):
        return
    rewriter = absolve.Rewriter(**{**context.get("ABSOLVE_OPTIONS", {}), "to": "absolute"})
    for item in feed.items:
        for name in ("description", "content"):
            if item[name]:
                item[name] = rewriter.rewrite(str(item[name]), item["link"]).content


def _rewrite_page(path: str, context: dict[str, Any]) -> None:
    """Rewrites a file that was written."""
    name = context["output_file"]
    is_page = name.endswith((".html", ".htm"))
    # With RELATIVE_URLS, SITEURL is relative here.
    if not context.get("ABSOLVE_PAGES", False) or not is_page or not _is_absolute(context["SITEURL"]):
        return
    rewriter = page_rewriter(context.get("ABSOLVE_OPTIONS", {}))
    file = pathlib.Path(path)
    document = file.read_bytes()
    rewritten = rewriter.rewrite(document, page_url(context["SITEURL"], name), encoding="utf-8").content
    if rewritten is not document:
        write_file(file, rewritten)


def _is_absolute(url: str) -> bool:
    return "://" in url
