from types import GenericAlias
from typing import Any, Callable, Generic, Iterable, Iterator, Literal, Protocol, Sequence, final, overload

from typing_extensions import Unpack, disjoint_base

from ._base_url import BaseUrl
from ._types import BaseScope, Decision, Facts, Fragments, Html, Layout, Limits, Names, Others, Page, Pairs, Path, Profile, SiteFacts

__all__ = [
    "__version__",
    "ResolveError",
    "Rewriter",
    "Rewritten",
    "StreamReport",
    "Finding",
    "Links",
    "Link",
    "RewrittenMany",
    "LinkBatches",
    "LinkBatch",
    "WarcLinkBatches",
    "WarcIndex",
    "Archive",
    "Entity",
    "ArchiveReport",
    "ArchiveProblem",
    "MirrorReport",
    "FileProblem",
    "SiteReport",
    "resolve",
    "relative",
    "make_links_absolute",
    "rewrite_nodes",
    "write_file",
    "mirror",
    "check_site",
]

__version__: str

class _Reader(Protocol):
    def read(self, size: int, /) -> bytes: ...

class _Writer(Protocol):
    def write(self, data: bytes, /) -> Any: ...

class ResolveError(ValueError): ...

@final
class Rewriter:
    def __new__(
        cls,
        *,
        profile: Profile = "rfc1808",
        base_scope: BaseScope | None = None,
        base_origin: Literal["any", "same"] = "any",
        unwrap: Literal["none", "wayback"] = "none",
        limit: Limits | None = None,
        to: Literal["absolute", "relative", "root-relative"] = "absolute",
        fragments: Fragments = "resolve",
        base_element: Literal["absolutize", "keep", "remove", "insert"] = "absolutize",
        map: Pairs | None = None,
        map_url: Pairs | None = None,
        normalize: bool = False,
        escape: Literal["url", "none"] = "url",
        preset: Names | None = None,
        link: Pairs | None = None,
        skip: Names | None = None,
        placeholders: Names | None = None,
        lenient: bool = False,
        remove: Names | None = None,
        remove_attribute: Names | None = None,
        insert: Pairs | None = None,
        keep_original: str | None = None,
    ) -> Rewriter: ...
    def __getnewargs_ex__(self) -> tuple[tuple[()], dict[str, Any]]: ...
    def rewrite(
        self,
        html: Html,
        url: str | None = None,
        *,
        emit: Literal["source", "tree"] = "source",
        **facts: Unpack[Facts],
    ) -> Rewritten[Html]: ...
    def links(self, html: bytes | str, url: str | None = None, **facts: Unpack[Facts]) -> Links: ...
    def base(self, html: bytes | str, url: str | None = None, **facts: Unpack[Facts]) -> BaseUrl: ...
    def check(
        self,
        html: bytes | str,
        url: str | None = None,
        *,
        select: Names | None = None,
        ignore: Names | None = None,
        warn: Names | None = None,
        **facts: Unpack[Facts],
    ) -> list[Finding]: ...
    def rewrite_links(
        self,
        html: Html,
        function: Callable[[Link], Decision] | dict[str, Callable[[Link], Decision]],
        url: str | None = None,
        **facts: Unpack[Facts],
    ) -> Html: ...
    def rewrite_stream(
        self, source: Path | bytes | _Reader, destination: Path | _Writer, url: str | None = None, **facts: Unpack[Facts]
    ) -> StreamReport: ...
    def rewrite_many(
        self, documents: Iterable[tuple[Html, str | None] | tuple[Html, str | None, str | None]], *, threads: int = 0
    ) -> RewrittenMany[Html]: ...
    def rewrite_archive(
        self,
        source: Path | bytes | _Reader,
        destination: Path | _Writer,
        url: str | None = None,
        *,
        in_records: bool = False,
        legacy_headers: bool = False,
        **facts: Unpack[SiteFacts],
    ) -> ArchiveReport: ...
    def links_arrow(
        self, documents: Iterable[Page], *, threads: int = 0, element_text: bool = False
    ) -> LinkBatches: ...
    def warc_links_arrow(
        self,
        source: Path | bytes | _Reader,
        *,
        name: str = "",
        parts: Sequence[tuple[int, int | None]] | None = None,
        url: str | None = None,
        legacy_headers: bool = False,
        document_limit: int | None = None,
        record_limit: int | None = None,
        element_text: bool = False,
    ) -> WarcLinkBatches: ...

@final
class Rewritten(Generic[Html]):
    def __new__(
        cls,
        content: Html,
        edited: int,
        changed: bool,
        skipped: Links,
        counts: dict[str, int],
        problem: str | None,
    ) -> Rewritten[Html]: ...
    @classmethod
    def __class_getitem__(cls, key: Any) -> GenericAlias: ...
    @property
    def content(self) -> Html: ...
    @property
    def changed(self) -> bool: ...
    @property
    def edited(self) -> int: ...
    @property
    def base(self) -> BaseUrl: ...
    @property
    def skipped(self) -> Links: ...
    @property
    def counts(self) -> dict[str, int]: ...
    @property
    def problem(self) -> str | None: ...

@final
class StreamReport:
    def __new__(
        cls,
        changed: bool,
        edited: int,
        read: int,
        written: int,
        base: BaseUrl,
        counts: dict[str, int],
        skipped: dict[str, int],
        buffered: str | None,
    ) -> StreamReport: ...
    @property
    def changed(self) -> bool: ...
    @property
    def edited(self) -> int: ...
    @property
    def read(self) -> int: ...
    @property
    def written(self) -> int: ...
    @property
    def base(self) -> BaseUrl: ...
    @property
    def counts(self) -> dict[str, int]: ...
    @property
    def skipped(self) -> dict[str, int]: ...
    @property
    def buffered(self) -> str | None: ...

@final
class Finding:
    def __new__(
        cls,
        path: str | None,
        entity: str | None,
        rule: str,
        severity: Literal["error", "warning"],
        message: str,
        help: str,
        start: int | None,
        end: int | None,
        line: int | None,
        column: int | None,
        reference: str | None,
    ) -> Finding: ...
    @property
    def path(self) -> str | None: ...
    @property
    def entity(self) -> str | None: ...
    @property
    def rule(self) -> str: ...
    @property
    def severity(self) -> Literal["error", "warning"]: ...
    @property
    def message(self) -> str: ...
    @property
    def help(self) -> str: ...
    @property
    def start(self) -> int | None: ...
    @property
    def end(self) -> int | None: ...
    @property
    def line(self) -> int | None: ...
    @property
    def column(self) -> int | None: ...
    @property
    def reference(self) -> str | None: ...

@final
class SiteReport:
    def __new__(
        cls,
        findings: list[Finding],
        documents: int,
        suppressed: int,
        left_to_server: int,
        outside: int,
        counts: dict[str, int],
        problems: list[FileProblem],
    ) -> SiteReport: ...
    @property
    def findings(self) -> list[Finding]: ...
    @property
    def documents(self) -> int: ...
    @property
    def suppressed(self) -> int: ...
    @property
    def left_to_server(self) -> int: ...
    @property
    def outside(self) -> int: ...
    @property
    def counts(self) -> dict[str, int]: ...
    @property
    def problems(self) -> list[FileProblem]: ...

@final
class Link:
    def __new__(cls, *values: Any) -> Link: ...
    @property
    def element(self) -> str: ...
    @property
    def attribute(self) -> str: ...
    @property
    def grammar(self) -> str: ...
    @property
    def role(self) -> str: ...
    @property
    def reference(self) -> str: ...
    @property
    def target(self) -> str | None: ...
    @property
    def base(self) -> str | None: ...
    @property
    def base_source(self) -> str | None: ...
    @property
    def status(self) -> Literal["resolved", "absolute", "skipped"]: ...
    @property
    def reason(self) -> str | None: ...
    @property
    def start(self) -> int | None: ...
    @property
    def end(self) -> int | None: ...
    @property
    def depth(self) -> int: ...
    def __iter__(self) -> Iterator[Any]: ...

@final
class Links(Sequence[Link]):
    def __new__(cls, links: list[tuple[Any, ...]], base: BaseUrl, problem: str | None) -> Links: ...
    @property
    def base(self) -> BaseUrl: ...
    @property
    def problem(self) -> str | None: ...
    @overload
    def __getitem__(self, index: int, /) -> Link: ...
    @overload
    def __getitem__(self, index: slice, /) -> list[Link]: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Link]: ...

@final
class RewrittenMany(Generic[Html]):
    @classmethod
    def __class_getitem__(cls, key: Any) -> GenericAlias: ...
    def __iter__(self) -> RewrittenMany[Html]: ...
    def __next__(self) -> Html: ...

@disjoint_base
class LinkBatches:
    @property
    def error(self) -> BaseException | None: ...
    def __iter__(self) -> LinkBatches: ...
    def __next__(self) -> LinkBatch: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

@final
class WarcLinkBatches(LinkBatches):
    @property
    def status(self) -> Literal["ok", "truncated", "failed"] | None: ...
    @property
    def damaged_at(self) -> int | None: ...
    @property
    def problem(self) -> str | None: ...
    @property
    def problems(self) -> int: ...
    @property
    def skipped(self) -> int: ...
    @property
    def records(self) -> int: ...
    @property
    def documents(self) -> int: ...
    @property
    def links(self) -> int: ...

@final
class WarcIndex:
    def __new__(cls, source: Path | bytes | _Reader) -> WarcIndex: ...
    @property
    def problem(self) -> str | None: ...
    def __iter__(self) -> WarcIndex: ...
    def __next__(self) -> tuple[int, int]: ...

@final
class LinkBatch:
    def __len__(self) -> int: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

@final
class Archive:
    def __new__(
        cls, source: Path | bytes | _Reader, rewriter: Rewriter, *, url: str | None = None, legacy_headers: bool = False
    ) -> Archive: ...
    @property
    def errors(self) -> list[str]: ...
    def __iter__(self) -> Archive: ...
    def __next__(self) -> Entity: ...

@final
class Entity:
    @property
    def label(self) -> str: ...
    @property
    def offset(self) -> int: ...
    @property
    def url(self) -> str | None: ...
    @property
    def kind(self) -> Literal["html", "css", "xml", "json-feed"]: ...
    @property
    def encoding(self) -> str | None: ...
    @property
    def document(self) -> bytes: ...
    @property
    def error(self) -> str | None: ...
    @property
    def base(self) -> BaseUrl: ...
    def links(self) -> Links: ...
    def rewrite(self) -> Rewritten[bytes]: ...

@final
class ArchiveReport:
    def __new__(
        cls,
        format: Literal["http", "mime", "warc"],
        records: int | None,
        documents: int,
        rewritten: int,
        edited: int,
        counts: dict[str, int],
        skipped: dict[str, int],
        problems: list[ArchiveProblem],
    ) -> ArchiveReport: ...
    @property
    def format(self) -> Literal["http", "mime", "warc"]: ...
    @property
    def records(self) -> int | None: ...
    @property
    def documents(self) -> int: ...
    @property
    def rewritten(self) -> int: ...
    @property
    def changed(self) -> bool: ...
    @property
    def edited(self) -> int: ...
    @property
    def counts(self) -> dict[str, int]: ...
    @property
    def skipped(self) -> dict[str, int]: ...
    @property
    def problems(self) -> list[ArchiveProblem]: ...

@final
class ArchiveProblem:
    def __new__(cls, label: str | None, offset: int, skipped: int, message: str) -> ArchiveProblem: ...
    @property
    def label(self) -> str | None: ...
    @property
    def offset(self) -> int: ...
    @property
    def skipped(self) -> int: ...
    @property
    def message(self) -> str: ...

@final
class MirrorReport:
    def __new__(
        cls,
        documents: int,
        changed_files: list[str],
        others: int,
        counts: dict[str, int],
        skipped: dict[str, int],
        lost: int,
        notes: list[str],
        problems: list[FileProblem],
    ) -> MirrorReport: ...
    @property
    def documents(self) -> int: ...
    @property
    def changed_files(self) -> list[str]: ...
    @property
    def others(self) -> int: ...
    @property
    def counts(self) -> dict[str, int]: ...
    @property
    def skipped(self) -> dict[str, int]: ...
    @property
    def lost(self) -> int: ...
    @property
    def notes(self) -> list[str]: ...
    @property
    def problems(self) -> list[FileProblem]: ...

@final
class FileProblem:
    def __new__(cls, path: str, message: str) -> FileProblem: ...
    @property
    def path(self) -> str: ...
    @property
    def message(self) -> str: ...

def make_links_absolute(html: Html, base_url: str) -> Html: ...
def resolve(base: str, reference: str, *, profile: Profile = "rfc1808") -> str: ...
def relative(
    base: str, target: str, *, profile: Profile = "rfc1808", form: Literal["path", "root"] = "path"
) -> str: ...
def rewrite_nodes(
    rewriter: Rewriter,
    nodes: Iterable[tuple[int, str | None, list[tuple[str, str]], str | None, bool]],
    writes: bool,
    url: str | None = None,
    **facts: Unpack[Facts],
) -> tuple[
    list[tuple[Literal["attribute", "text", "remove", "base-href", "insert-base"], int, int | None, str | None]],
    Links,
    list[tuple[int, int | None]],
]: ...
def write_file(path: Path, content: bytes) -> None: ...
def mirror(
    folder: Path,
    archives: Sequence[Path],
    at: str | None,
    rewriter: Rewriter,
    output: Path | None,
    in_place: bool,
    backup: str | None,
    others: Others,
    include: Names | None,
    exclude: Names | None,
    ignore_files: bool,
    follow: bool,
    sync: bool,
    url: str | None,
    base_path: str | None,
    layout: Layout,
    default_page: str | None,
    log: Path | None,
    all: bool,
    integrity: Literal["remove", "keep"],
    fragments: Fragments,
    base_scope: BaseScope | None,
    encoding: str | None,
    threads: int,
) -> MirrorReport: ...
def check_site(
    folder: Path,
    rewriter: Rewriter,
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
    **facts: Unpack[SiteFacts],
) -> SiteReport: ...
