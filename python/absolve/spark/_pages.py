"""Links of the pages of a DataFrame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable, Iterator

import pyarrow

import absolve

from ._schema import ELEMENT_TEXT, LINKS, conform, ddl

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

FOUND = {name: kind for name, kind in LINKS.items() if list(LINKS).index(name) > list(LINKS).index("page_url")}
"""Columns about links alone, without the optional ones."""


def links_of_pages(pages: DataFrame, *, element_text: bool = False, **options: Any) -> DataFrame:
    """Returns the links of pages, a row for each link: the columns of its page but ``content``, and those of the link.

    ``pages`` must have the columns ``url`` and ``content`` (binary or string), and may have ``content_type``: the header field,
    which determines the encoding. Links are found in HTML, XML and CSS; without ``content_type``, all pages are HTML. The
    options are those of :func:`absolve.links_arrow`; ``element_text`` adds the columns ``text``, ``rel`` and ``alt``.

    Runs on Spark 3.5, too.
    """
    absolve.Rewriter(**options)
    kept = [field for field in pages.schema.fields if field.name != "content"]
    names = [field.name for field in kept]
    columns_of_links = {**FOUND, **ELEMENT_TEXT} if element_text else FOUND
    clash = sorted(set(names) & set(columns_of_links))
    if "url" not in names or "content" not in pages.columns:
        raise ValueError(f"pages: no columns url and content: {', '.join(pages.columns)}; rename yours")
    if clash:
        raise ValueError(f"pages: columns that links have: {', '.join(clash)}; rename or drop them")

    def find(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            yield from _links_of_batch(batch, names, columns_of_links, {"element_text": element_text, **options})

    columns = ", ".join(f"`{field.name}` {field.dataType.simpleString()}" for field in kept)
    return pages.mapInArrow(find, f"{columns}, {ddl(columns_of_links)}")


def _links_of_batch(
    batch: pyarrow.RecordBatch, names: Iterable[str], columns: dict[str, pyarrow.DataType], options: dict[str, Any]
) -> Iterator[pyarrow.RecordBatch]:
    """Yields the links of the pages in a batch."""
    pages = batch.select(list(names))
    for batch_of_links in absolve.links_arrow(_pages(batch), threads=1, **options):
        links = pyarrow.record_batch(batch_of_links)
        numbers = links.column("document")
        of_pages = pages.take(numbers)
        of_links = conform(links, columns, columns)
        yield pyarrow.RecordBatch.from_arrays(
            [*of_pages.columns, *of_links.columns], schema=pyarrow.schema([*of_pages.schema, *of_links.schema])
        )


def _pages(batch: pyarrow.RecordBatch) -> Iterator[tuple[bytes | str, str | None, str | None]]:
    """Yields the pages of a batch, one at a time: their content may be long."""
    urls, contents = batch.column("url"), batch.column("content")
    types = batch.column("content_type") if "content_type" in batch.schema.names else None
    for row in range(len(batch)):
        content_type = None if types is None else types[row].as_py()
        yield contents[row].as_py() or b"", urls[row].as_py(), content_type
