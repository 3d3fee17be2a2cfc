"""A plugin for MkDocs that makes the links of all pages absolute, or relative.

In ``mkdocs.yml``, with ``site_url``::

    site_url: https://example.org/docs/
    plugins:
      - search
      - absolve

Each page is rewritten with its own URL, ``404.html`` and other templates of the theme included. The options have the names
of those of ``absolve.Rewriter``. For references relative to the page, which work below any path::

    plugins:
      - absolve:
          to: relative

References such as ``#install`` remain by default (``fragments: auto``). ``mkdocs serve`` sets ``site_url`` to its own address,
so links lead to the preview there. Without ``site_url``, the plugin warns and changes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urljoin

try:
    from mkdocs.config import config_options
    from mkdocs.config.base import LegacyConfig
    from mkdocs.exceptions import PluginError
    from mkdocs.plugins import BasePlugin, get_plugin_logger
except ImportError:
    raise ImportError("absolve.mkdocs needs MkDocs: pip install 'absolve[mkdocs]'") from None

from ._site import page_rewriter
from ._types import Options

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.pages import Page

__all__ = ["AbsolvePlugin"]

_log = get_plugin_logger("absolve")


class AbsolvePlugin(BasePlugin[LegacyConfig]):  # type: ignore[no-untyped-call]
    """The plugin ``absolve``."""

    config_scheme = tuple(
        (name, config_options.Optional(config_options.Type((str, bool, list, dict))))
        for name in sorted(Options.__optional_keys__)
    )

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Checks the options."""
        options = {name: value for name, value in self.config.items() if value is not None}
        try:
            self.rewriter = page_rewriter(options)
        except (TypeError, ValueError) as error:
            raise PluginError(f"absolve: {error}") from error
        if not config.site_url:
            _log.warning("site_url is not set; links remain as they are")
        return config

    def on_post_page(self, output: str, /, *, page: Page, config: MkDocsConfig) -> str:
        """Returns a page with its links rewritten."""
        return self.rewriter.rewrite(output, page.canonical_url).content if page.canonical_url else output

    def on_post_template(self, output_content: str, /, *, template_name: str, config: MkDocsConfig) -> str:
        """Returns a template of the theme with its links rewritten."""
        if not config.site_url or not template_name.endswith(".html"):
            return output_content
        return self.rewriter.rewrite(output_content, urljoin(config.site_url, template_name)).content
