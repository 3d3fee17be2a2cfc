"""Makes every link in an HTML document absolute, and changes no other byte.

>>> import absolve
>>> absolve.make_links_absolute('<base href="/docs/"><a href=x>', "http://h/")
'<base href="http://h/docs/"><a href=http://h/docs/x>'

A document is ``bytes`` or ``str``, and so is the result. Offsets are in bytes of ``bytes``, and in characters of ``str``.
Markup never raises an exception: a link that cannot be resolved is left as it is, and reported. An invalid option raises
``ValueError``.

Functions take the options of :class:`Rewriter` as keyword arguments. A rewriter of your own saves their evaluation for
every document.
"""

from ._absolve import (
    Archive,
    ArchiveProblem,
    ArchiveReport,
    Entity,
    FileProblem,
    Finding,
    Link,
    LinkBatch,
    LinkBatches,
    Links,
    MirrorReport,
    ResolveError,
    RewrittenMany,
    Rewriter,
    Rewritten,
    SiteReport,
    StreamReport,
    WarcIndex,
    WarcLinkBatches,
    __version__,
    make_links_absolute,
    relative,
    resolve,
)
from ._base_url import BaseUrl, Candidate
from ._functions import (
    KEEP,
    RESOLVE,
    archive,
    base,
    check,
    check_site,
    iterlinks,
    links,
    links_arrow,
    mirror,
    rewrite,
    rewrite_archive,
    rewrite_links,
    rewrite_many,
    warc_links_arrow,
)

__all__ = [
    "KEEP",
    "RESOLVE",
    "Archive",
    "ArchiveProblem",
    "ArchiveReport",
    "BaseUrl",
    "Candidate",
    "Entity",
    "FileProblem",
    "Finding",
    "Link",
    "LinkBatch",
    "LinkBatches",
    "Links",
    "MirrorReport",
    "ResolveError",
    "Rewriter",
    "Rewritten",
    "RewrittenMany",
    "SiteReport",
    "StreamReport",
    "WarcIndex",
    "WarcLinkBatches",
    "__version__",
    "archive",
    "base",
    "check",
    "check_site",
    "iterlinks",
    "links",
    "links_arrow",
    "make_links_absolute",
    "mirror",
    "relative",
    "resolve",
    "rewrite",
    "rewrite_archive",
    "rewrite_links",
    "rewrite_many",
    "warc_links_arrow",
]
