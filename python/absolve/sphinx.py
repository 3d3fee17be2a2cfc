"""An extension for Sphinx that makes the links of all HTML pages absolute, or relative.

In ``conf.py``::

    extensions = ["absolve.sphinx"]
    html_baseurl = "https://example.org/docs/"
    absolve_options = {"preset": "social"}

After a build with ``html``, ``dirhtml`` or ``singlehtml``, every HTML file of the output is rewritten with its own URL below
``html_baseurl``, also those that themes and other extensions write. ``absolve_options`` has options of
``absolve.Rewriter``: ``{"to": "relative"}`` writes references relative to the page, which work below any path, and
``{"map": {...}}`` moves links to another site. References such as ``#install`` remain by default (``"fragments": "auto"``). Without ``html_baseurl``, the extension
warns and changes nothing.
"""

from __future__ import annotations

import pathlib
from typing import TYPE_CHECKING, Any

try:
    from sphinx.builders.html import StandaloneHTMLBuilder
    from sphinx.errors import ConfigError
    from sphinx.util import logging
except ImportError:
    raise ImportError("absolve.sphinx needs Sphinx: pip install 'absolve[sphinx]'") from None

from . import __version__
from ._site import page_rewriter, rewrite_pages

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.config import Config

__all__ = ["setup"]

_log = logging.getLogger(__name__)

# Other builders of HTML write books, whose links must remain relative.
_BUILDERS = ("html", "dirhtml", "singlehtml")


def setup(app: Sphinx) -> dict[str, Any]:
    """Registers the extension, which Sphinx calls."""
    app.add_config_value("absolve_options", {}, "html", dict)
    app.connect("config-inited", _check_options)
    # After extensions that write files at the end of a build.
    app.connect("build-finished", _rewrite, priority=900)
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}


def _check_options(app: Sphinx, config: Config) -> None:
    """Raises the error of an invalid option before anything is written."""
    try:
        page_rewriter(config.absolve_options)
    except (TypeError, ValueError) as error:
        raise ConfigError(f"absolve_options: {error}") from error


def _rewrite(app: Sphinx, exception: Exception | None) -> None:
    """Rewrites the pages after a build."""
    builder = app.builder
    if exception is not None or builder.name not in _BUILDERS or not isinstance(builder, StandaloneHTMLBuilder):
        return
    if not app.config.html_baseurl:
        _log.warning("absolve: html_baseurl is not set; links remain as they are")
        return
    directory = pathlib.Path(app.outdir)
    pages = sorted(directory.rglob(f"*{builder.out_suffix}"))
    rewrite_pages(page_rewriter(app.config.absolve_options), app.config.html_baseurl, directory, pages)
