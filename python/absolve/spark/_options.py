"""Options of the data source: strings of Spark to arguments of Python."""

from __future__ import annotations

import json
from typing import Any, Mapping

import absolve

INTEGERS = ("document_limit", "record_limit")
LISTS = ("preset", "skip", "placeholders", "remove", "remove_attribute")
PAIRS = ("limit", "link", "map", "map_url", "insert")
WORDS = ("profile", "base_scope", "base_origin", "unwrap", "fragments", "url", "to", "base_element", "escape", "keep_original")
FLAGS = ("legacy_headers", "lenient", "normalize", "in_records")

READING = ("url", "legacy_headers", "document_limit", "record_limit")
"""Options about archives, and not about links."""
REWRITING = (
    "to", "base_element", "escape", "map", "map_url", "normalize", "in_records", "remove", "remove_attribute", "insert", "keep_original",
)
"""Options that matter only where archives are rewritten."""


def flag(name: str, value: str) -> bool:
    """Returns the truth value of an option."""
    if value.lower() not in ("true", "false"):
        raise ValueError(f"{name}: no truth value: {value!r}; use true or false")
    return value.lower() == "true"


def integer(name: str, value: str) -> int:
    """Returns the value of an option that is a number."""
    if not value.isascii() or not value.isdigit():
        raise ValueError(f"{name}: no whole number: {value!r}; use digits alone")
    return int(value)


def parsed(name: str, value: str) -> Any:
    """Returns the value of an option as the functions of absolve take it.

    Lists are separated by commas, or are arrays of JSON; pairs are an object of JSON.
    """
    if name in INTEGERS:
        return integer(name, value)
    if name in FLAGS:
        return flag(name, value)
    if name in WORDS:
        return value
    if name in LISTS and not value.lstrip().startswith("["):
        return [item.strip() for item in value.split(",")]
    try:
        return json.loads(value)
    except ValueError as error:
        raise ValueError(f"{name}: not JSON: {error}; use a value such as '{{\"div[data-src]\": \"url\"}}'") from None


def taken(options: Mapping[str, str], known: tuple[str, ...]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Returns the options of a rewriter, and those of an archive. ``known`` are further names.

    Raises ``ValueError`` for a name that is unknown, with those that are known.
    """
    rewriter: dict[str, Any] = {}
    archive: dict[str, Any] = {}
    names = {*INTEGERS, *LISTS, *PAIRS, *WORDS, *FLAGS}
    for name, value in options.items():
        name = name.lower()
        if name in READING:
            archive[name] = parsed(name, value)
        elif name in names:
            rewriter[name] = parsed(name, value)
        elif name not in known:
            raise ValueError(f"{name}: unknown option; use one of {', '.join(sorted(names | set(known)))}")
    absolve.Rewriter(**{name: value for name, value in rewriter.items() if name != "in_records"})
    return rewriter, archive
