"""Functions for single calls: each makes a rewriter from its options and calls the method of the same name."""

from __future__ import annotations

import collections.abc
import copyreg
import inspect
import json
import operator
import os
from typing import TYPE_CHECKING, Any, Callable, Final, Iterable, Iterator, Mapping, Sequence

from ._absolve import (
    Archive,
    ArchiveProblem,
    ArchiveReport,
    FileProblem,
    Finding,
    Link,
    Links,
    MirrorReport,
    Rewriter,
    Rewritten,
    SiteReport,
    StreamReport,
)
from ._absolve import check_site as _check_site
from ._absolve import mirror as _mirror

if TYPE_CHECKING:
    from types import EllipsisType
    from typing import BinaryIO, Literal

    from typing_extensions import Unpack

    from ._absolve import LinkBatches, RewrittenMany, WarcLinkBatches
    from ._base_url import BaseUrl
    from ._types import (
        AllOptions,
        ArchiveOptions,
        BaseScope,
        Decision,
        Fragments,
        Html,
        Layout,
        Limits,
        Names,
        Options,
        Others,
        Page,
        Pairs,
        Path,
        Profile,
        SiteOptions,
    )

KEEP: Final[EllipsisType] = ...
"""What a function of `rewrite_links` returns to leave a link as it is."""
RESOLVE: Final[Literal[True]] = True
"""What a function of `rewrite_links` returns to write the target of a link."""

collections.abc.Sequence.register(Links)


def _picklable(kind: type) -> None:
    """Lets pickle and copy make results of a class from their fields, which are its arguments."""
    fields = operator.attrgetter(*inspect.signature(kind).parameters)
    copyreg.pickle(kind, lambda result: (kind, fields(result)))


for _result in (ArchiveProblem, ArchiveReport, FileProblem, Finding, MirrorReport, Rewritten, SiteReport, StreamReport):
    _picklable(_result)
_link = operator.attrgetter(
    *"element attribute grammar role reference target base base_source status reason start end depth".split()
)
copyreg.pickle(Link, lambda link: (Link, _link(link)))
copyreg.pickle(Links, lambda links: (Links, (list(map(_link, links)), links.base, links.problem)))

_DEFAULT = Rewriter()

_FACTS = ("default_base", "enclosing_base", "encoding", "kind")
_SITE_FACTS = ("default_base", "enclosing_base", "encoding")
_ARCHIVE_FACTS = ("default_base", "enclosing_base", "encoding", "legacy_headers")


def prepared(options: Mapping[str, Any], names: Sequence[str] = _FACTS) -> tuple[Rewriter, Any]:
    """Returns the rewriter for some options, and those of them that are facts, by default about one document."""
    settings = dict(options)
    facts = {name: settings.pop(name) for name in names if name in settings}
    return (Rewriter(**settings) if settings else _DEFAULT), facts


def rewrite(
    html: Html, url: str | None = None, *, emit: Literal["source", "tree"] = "source", **options: Unpack[AllOptions]
) -> Html:
    """Returns the document with its links rewritten, absolute by default.

    ``emit="tree"`` returns the serialized tree of an HTML document instead of its edited source.
    """
    rewriter, facts = prepared(options)
    return rewriter.rewrite(html, url, emit=emit, **facts).content


def links(html: bytes | str, url: str | None = None, **options: Unpack[AllOptions]) -> Links:
    """Returns the links of a document, with their targets."""
    rewriter, facts = prepared(options)
    return rewriter.links(html, url, **facts)


def iterlinks(
    html: bytes | str, base_url: str | None = None, **options: Unpack[AllOptions]
) -> Iterator[Link]:
    """Iterates over the links of a document; each unpacks as (element, attribute, reference, start)."""
    return iter(links(html, base_url, **options))


def base(html: bytes | str, url: str | None = None, **options: Unpack[AllOptions]) -> BaseUrl:
    """Returns the base URL of a document, a ``str`` that knows its source and all candidates; empty if there is none."""
    rewriter, facts = prepared(options)
    return rewriter.base(html, url, **facts)


def check(
    html: bytes | str,
    url: str | None = None,
    *,
    select: Names | None = None,
    ignore: Names | None = None,
    warn: Names | None = None,
    **options: Unpack[AllOptions],
) -> list[Finding]:
    """Returns the problems of a document with its base URL and its links.

    Only the rules in ``select`` are checked, by default all, without those in ``ignore``. The severity of those in
    ``warn`` is ``warning``.
    """
    rewriter, facts = prepared(options)
    return rewriter.check(html, url, select=select, ignore=ignore, warn=warn, **facts)


def check_site(
    folder: Path,
    url: str | None = None,
    *,
    base_path: str | None = None,
    clean_urls: bool = False,
    select: Names | None = None,
    ignore: Names | None = None,
    warn: Names | None = None,
    include: Names | None = None,
    exclude: Names | None = None,
    ignore_files: bool = False,
    follow: bool = False,
    threads: int = 0,
    **options: Unpack[SiteOptions],
) -> SiteReport:
    """Returns the problems of all documents in a folder that is published as a site under ``url``.

    Links to files and fragments of the folder that do not exist are problems, too. Without ``url``, the folder has the path
    ``base_path`` on a host that is not known, by default its root, and links with a host are not checked. ``clean_urls``
    expects that the server finds ``about.html`` as ``about``. The documents in containers are checked, too.

    A file that cannot be read is among the ``problems`` of the report, and the others are checked.
    """
    rewriter, facts = prepared(options, _SITE_FACTS)
    return _check_site(
        folder,
        rewriter,
        url,
        base_path=base_path,
        clean_urls=clean_urls,
        select=select,
        ignore=ignore,
        warn=warn,
        include=include,
        exclude=exclude,
        ignore_files=ignore_files,
        follow=follow,
        threads=threads,
        **facts,
    )


def rewrite_links(
    html: Html,
    function: Callable[[Link], Decision] | dict[str, Callable[[Link], Decision]],
    base_url: str | None = None,
    **options: Unpack[AllOptions],
) -> Html:
    """Returns the document with its links replaced as a function decides, which is called with each :class:`Link`.

    The function returns a ``str`` to write in place of the reference, a pair of that and a ``dict`` of attributes to add to
    the element, ``None`` to remove the attribute, ``KEEP`` to leave the link as it is, or ``RESOLVE`` to write its target.
    Its exceptions are raised here. Calling it takes most of the time; a ``dict`` of functions by grammars is called for
    links of these grammars only, and resolves the others.
    """
    rewriter, facts = prepared(options)
    return rewriter.rewrite_links(html, function, base_url, **facts)


def rewrite_many(
    documents: Iterable[tuple[Html, str | None] | tuple[Html, str | None, str | None]],
    *,
    threads: int = 0,
    **options: Unpack[Options],
) -> RewrittenMany[Html]:
    """Rewrites pairs of document and URL on several threads, and yields the documents in order.

    A third item may be the value of the header field ``Content-Type``. It determines the encoding and the kind of the
    document, and those that are not HTML, XML or CSS are yielded as they are. ``threads=0`` means one for each processor. Documents are read from the iterable in batches, as they are needed.
    """
    return Rewriter(**options).rewrite_many(documents, threads=threads)


def links_arrow(
    documents: Iterable[Page], *, threads: int = 0, element_text: bool = False, **options: Unpack[Options]
) -> LinkBatches:
    """Finds the links of pairs of document and URL on several threads, as record batches of Apache Arrow.

    A third item may be the value of the header field ``Content-Type``. It determines the encoding and the kind of the
    document, and links are found in HTML, XML and CSS only.

    The result is an Arrow stream (``__arrow_c_stream__``) for ``pyarrow.table``, ``polars.DataFrame`` and others, and an
    iterator over record batches. Documents are read from the iterable as they are needed, once. ``threads=0`` means one
    for each processor. ``element_text`` adds columns about the element of a link: ``text`` (of A elements), ``rel`` and
    ``alt``.
    """
    return Rewriter(**options).links_arrow(documents, threads=threads, element_text=element_text)


def warc_links_arrow(
    source: Path | bytes | BinaryIO,
    *,
    name: str | None = None,
    parts: Sequence[tuple[int, int | None]] | None = None,
    url: str | None = None,
    legacy_headers: bool = False,
    document_limit: int | None = None,
    record_limit: int | None = None,
    element_text: bool = False,
    **options: Unpack[Options],
) -> WarcLinkBatches:
    """Finds the links of the documents in a WARC archive, as record batches of Apache Arrow.

    ``source`` is a path, ``bytes``, or a binary file, which is read from its position as it is needed. The column ``warc``
    has the ``name``, by default the path. ``parts`` are pairs of offsets in order, as in :class:`WarcIndex`: only records
    are read that begin at the first one or after it, and before the second one (``None``: the end). The limits are those of
    a document without its codings, by default 16 MiB, and of a record, 8 MiB; longer ones are skipped. ``element_text``
    adds columns as in :func:`links_arrow`.

    Damage never raises an exception. At the end, ``status`` is ``ok``, ``truncated`` or ``failed``, and ``damaged_at`` the
    offset where reading ended.
    """
    if name is None:
        name = os.fspath(source) if isinstance(source, (str, os.PathLike)) else ""
    return Rewriter(**options).warc_links_arrow(
        source,
        name=name,
        parts=parts,
        url=url,
        legacy_headers=legacy_headers,
        document_limit=document_limit,
        record_limit=record_limit,
        element_text=element_text,
    )


def archive(
    source: Path | bytes | BinaryIO,
    url: str | None = None,
    *,
    legacy_headers: bool = False,
    **options: Unpack[Options],
) -> Archive:
    """Iterates over the documents in an HTTP dump, a MIME message or a WARC archive.

    ``source`` is a path, ``bytes``, or a binary file, which is read from its position. An archive is read record by
    record. ``url`` is the URL from which a dump or message was retrieved. ``Entity.links()`` also lists the links in header
    fields; a response that has only such links is an empty document.
    """
    return Archive(source, Rewriter(**options), url=url, legacy_headers=legacy_headers)


def rewrite_archive(
    source: Path | bytes | BinaryIO,
    destination: Path | BinaryIO,
    url: str | None = None,
    *,
    in_records: bool = False,
    **options: Unpack[ArchiveOptions],
) -> ArchiveReport:
    """Rewrites the documents in an HTTP dump, a MIME message or a WARC archive, and copies all other bytes.

    ``source`` is a path, ``bytes``, or a binary file; ``destination`` is a path or a binary file. A file at a path is
    replaced when its new content is complete, and stays as it was after any error. ``in_records`` replaces the records
    of a WARC archive; otherwise, records of type ``conversion`` are added. ``url`` is the URL from which a dump or
    message was retrieved.
    """
    rewriter, facts = prepared(options, _ARCHIVE_FACTS)
    return rewriter.rewrite_archive(source, destination, url, in_records=in_records, **facts)


def mirror(
    folder: Path | Sequence[Path],
    output: Path | None = None,
    *,
    at: str | None = None,
    in_place: bool = False,
    backup: str | None = None,
    check: bool = False,
    others: Others = "copy",
    include: Names | None = None,
    exclude: Names | None = None,
    ignore_files: bool = False,
    follow: bool = False,
    sync: bool = False,
    url: str | None = None,
    base_path: str | None = None,
    layout: Layout = "auto",
    default_page: str | None = None,
    log: Path | None = None,
    all: bool = False,
    integrity: Literal["remove", "keep"] = "remove",
    fragments: Fragments = "keep",
    profile: Profile = "whatwg",
    base_scope: BaseScope | None = None,
    base_origin: Literal["any", "same"] = "any",
    unwrap: Literal["none", "wayback"] = "none",
    limit: Limits | None = None,
    escape: Literal["url", "none"] = "url",
    preset: Names | None = None,
    link: Pairs | None = None,
    skip: Names | None = None,
    placeholders: Names | None = None,
    lenient: bool = False,
    encoding: str | None = None,
    threads: int = 0,
) -> MirrorReport:
    """Converts a folder that wget or HTTrack downloaded, or WARC and WACZ archives, so that it can be read offline.

    Links to files of the folder become relative, and all other links absolute. The result is written to the directory
    ``output``, or replaces the documents with ``in_place``, which keeps originals with the suffix ``backup``. ``check``
    writes nothing, and ``sync`` flushes every file to the disk. ``log`` is the log that wget wrote, or the list of
    HTTrack. The other options are those of ``absolve mirror``.

    If ``folder`` is an archive, or a list of them, each captured URL becomes a file. ``at`` ignores later captures, such as
    those after ``"2026-01-31"``.

    A file that cannot be read or written is among the ``problems`` of the report, and the others are converted. Every
    file is old or new, also after an exception.
    """
    folders = [folder] if isinstance(folder, (str, os.PathLike)) else list(folder)
    archives = [path for path in folders if os.path.isfile(path) and not in_place]
    if not folders or len(folders) > max(1, len(archives)):
        raise ValueError("folder: use one folder, or archives")
    if archives:
        for_folders = {
            "others": others != "copy",
            "url": url,
            "base_path": base_path,
            "layout": layout != "auto",
            "default_page": default_page,
            "log": log,
        }
        for name, is_given in for_folders.items():
            if is_given:
                raise ValueError(f"{name}: cannot be used with archives")
    elif at is not None:
        raise ValueError("at: only for archives")
    if (output is not None) + in_place + check != 1:
        raise ValueError("output: use one of output, in_place and check")
    if backup is not None and not in_place:
        raise ValueError("backup: there are backups only with in_place")
    if backup is not None and (not backup or any(letter in backup for letter in (os.sep, os.altsep) if letter)):
        problem = "empty, or with a path separator"
        raise ValueError(f"backup: {problem}: {json.dumps(backup)}; use a suffix such as '.orig'")
    if base_path is not None and layout != "site":
        hint = "use layout 'site', or url for files of known hosts"
        raise ValueError(f"base_path: only for a static site: {json.dumps(base_path)}; {hint}")
    if default_page is not None and (default_page in ("", ".", "..") or "/" in default_page):
        hint = "use the name of a file, such as 'default.htm'"
        raise ValueError(f"default_page: not a name: {json.dumps(default_page)}; {hint}")
    if sync and check:
        raise ValueError("sync: nothing is written with check")
    if follow and in_place:
        raise ValueError("follow: cannot be used with in_place; use output")
    rewriter = Rewriter(
        profile=profile,
        base_origin=base_origin,
        unwrap=unwrap,
        limit=limit,
        escape=escape,
        preset=preset,
        link=link,
        skip=skip,
        placeholders=placeholders,
        lenient=lenient,
    )
    return _mirror(
        folders[0],
        archives,
        at,
        rewriter,
        output=output,
        in_place=in_place,
        backup=backup,
        others=others,
        include=include,
        exclude=exclude,
        ignore_files=ignore_files,
        follow=follow,
        sync=sync,
        url=url,
        base_path=base_path,
        layout=layout,
        default_page=default_page,
        log=log,
        all=all,
        integrity=integrity,
        fragments=fragments,
        base_scope=base_scope,
        encoding=encoding,
        threads=threads,
    )
