"""The base URL of a document, with the reason why it is that one."""

from typing import Iterable, NamedTuple


class Candidate(NamedTuple):
    """A candidate for the base URL of a document."""

    source: str
    """``embedded`` (BASE), ``encapsulating-entity``, ``retrieval`` or ``default``."""
    value: str
    """The URL as it was given."""
    used: bool
    """Whether this candidate determines the base URL."""
    completing: bool
    """Whether the base URL, which is relative as it was given, was resolved against this candidate."""
    reason: str
    """The reason why it is the base URL or not, for people."""


class BaseUrl(str):
    """The base URL of a document: a string, empty if there is none, that knows where it comes from."""

    __slots__ = ("candidates", "source")

    source: "str | None"
    """The source of the base URL, as in :class:`Candidate`; ``None`` if there is no base URL."""
    candidates: "tuple[Candidate, ...]"
    """All candidates, in order of precedence (RFC 1808 section 3)."""

    def __new__(
        cls,
        url: str = "",
        source: "str | None" = None,
        candidates: "Iterable[tuple[str, str, bool, bool, str]]" = (),
    ) -> "BaseUrl":
        base = super().__new__(cls, url)
        base.source = source
        base.candidates = tuple(Candidate(*candidate) for candidate in candidates)
        return base

    def __getnewargs__(self) -> "tuple[str, str | None, tuple[Candidate, ...]]":  # type: ignore[override]
        return str(self), self.source, self.candidates
