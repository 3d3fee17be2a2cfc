"""Types of arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterable, Literal, Mapping, TypedDict, TypeVar, Union

if TYPE_CHECKING:
    import os
    from types import EllipsisType

Html = TypeVar("Html", bytes, str)
Pairs = Union[Mapping[str, str], Iterable["tuple[str, str]"]]
Limits = Union[Mapping[str, int], Iterable["tuple[str, int]"]]
"""Names of limits, such as ``links``, and their values."""
Path = Union[str, "os.PathLike[str]"]
Names = Union[str, Iterable[str]]
Profile = Union[Literal["rfc1808"], Literal["rfc3986"], Literal["whatwg"]]
BaseScope = Union[Literal["head"], Literal["document"]]
Fragments = Union[Literal["resolve"], Literal["keep"], Literal["auto"]]
Layout = Union[Literal["auto"], Literal["wget"], Literal["httrack"], Literal["host-path"], Literal["saved"], Literal["site"]]
Others = Union[Literal["copy"], Literal["link"], Literal["skip"]]
Page = Union["tuple[bytes | str, str | None]", "tuple[bytes | str, str | None, str | None]"]
"""A document with its URL, and possibly the value of its header field ``Content-Type``."""
Decision = Union[str, "tuple[str, dict[str, str]]", "EllipsisType", Literal[True], None]


class Facts(TypedDict, total=False):
    """What the caller knows about one document, besides its URL."""

    encoding: str | None
    """The encoding that the transport declares, by a name of the Encoding Standard or of Python; ignored for a ``str``."""
    kind: Literal["html", "css", "xml", "json-feed", "auto"] | None
    """The language of the document; default: ``html``. ``auto`` detects it as the command does without a file name."""
    enclosing_base: Names | None
    """Base URLs of the entities around the document, innermost first (RFC 1808 section 3.2)."""
    default_base: str | None
    """The base URL if there is no other (RFC 1808 section 3.4)."""


class Options(TypedDict, total=False):
    """Options of a rewriter, with the names and values that the command has."""

    profile: Profile
    base_scope: BaseScope | None
    base_origin: Literal["any", "same"]
    unwrap: Literal["none", "wayback"]
    limit: Limits | None
    to: Literal["absolute", "relative", "root-relative"]
    fragments: Fragments
    base_element: Literal["absolutize", "keep", "remove", "insert"]
    map: Pairs | None
    map_url: Pairs | None
    normalize: bool
    escape: Literal["url", "none"]
    preset: Names | None
    link: Pairs | None
    skip: Names | None
    placeholders: Names | None
    lenient: bool
    remove: Names | None
    remove_attribute: Names | None
    insert: Pairs | None
    keep_original: str | None


class AllOptions(Options, Facts, total=False):
    """Options of a rewriter, and facts about one document."""


class SiteFacts(TypedDict, total=False):
    """What the caller knows about all documents of a site or container, besides its URL."""

    encoding: str | None
    """The encoding that takes precedence over the declared ones."""
    enclosing_base: Names | None
    """Base URLs of the entities around the documents, innermost first (RFC 1808 section 3.2)."""
    default_base: str | None
    """The base URL if there is no other (RFC 1808 section 3.4)."""


class SiteOptions(Options, SiteFacts, total=False):
    """Options of a rewriter, and facts about the documents of a site."""


class ArchiveFacts(SiteFacts, total=False):
    """What the caller knows about the documents of a container, besides its URL."""

    legacy_headers: bool
    """Whether ``Base``, ``Content-Base`` and ``Content-Location`` of HTTP responses set the base URL."""


class ArchiveOptions(Options, ArchiveFacts, total=False):
    """Options of a rewriter, and facts about the documents of a container."""
