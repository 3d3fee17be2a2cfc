"""The columns of the tables, in Arrow and in Spark. Their names and order are part of the contract."""

from __future__ import annotations

from typing import Any, Iterable

import pyarrow

LINKS: dict[str, pyarrow.DataType] = {
    "warc": pyarrow.string(),
    "record_offset": pyarrow.int64(),
    "record_number": pyarrow.int64(),
    "record_id": pyarrow.string(),
    "date": pyarrow.string(),
    "page_url": pyarrow.string(),
    "base": pyarrow.string(),
    "base_source": pyarrow.string(),
    "element": pyarrow.string(),
    "attribute": pyarrow.string(),
    "role": pyarrow.string(),
    "grammar": pyarrow.string(),
    "reference": pyarrow.string(),
    "target": pyarrow.string(),
    "status": pyarrow.string(),
    "reason": pyarrow.string(),
    "start": pyarrow.int64(),
    "end": pyarrow.int64(),
    "depth": pyarrow.int32(),
}
"""Columns of the table of links."""

ELEMENT_TEXT: dict[str, pyarrow.DataType] = {
    "text": pyarrow.string(),
    "rel": pyarrow.string(),
    "alt": pyarrow.string(),
}
"""Optional columns of the table of links: texts of the element of a link."""

INPUTS: dict[str, pyarrow.DataType] = {
    "warc": pyarrow.string(),
    "part": pyarrow.int64(),
    "parts": pyarrow.int64(),
    "status": pyarrow.string(),
    "damaged_at": pyarrow.int64(),
    "problem": pyarrow.string(),
    "problems": pyarrow.int64(),
    "skipped": pyarrow.int64(),
    "records": pyarrow.int64(),
    "documents": pyarrow.int64(),
    "links": pyarrow.int64(),
    "seconds": pyarrow.float64(),
}
"""Columns of the table of inputs."""

TABLES: dict[str, dict[str, pyarrow.DataType]] = {
    "links": LINKS,
    "inputs": INPUTS,
    "all": {"table": pyarrow.string(), **LINKS, **INPUTS},
}
"""Columns by the value of the option ``table``, without the optional ones."""

_NAMES = {
    pyarrow.string(): "string",
    pyarrow.int64(): "bigint",
    pyarrow.int32(): "int",
    pyarrow.float64(): "double",
}


def ddl(columns: dict[str, pyarrow.DataType]) -> str:
    """Returns the columns as Spark declares them."""
    return ", ".join(f"`{name}` {_NAMES[kind]}" for name, kind in columns.items())


LINKS_SCHEMA = ddl(LINKS)
"""The table of links as a schema of Spark."""
INPUTS_SCHEMA = ddl(INPUTS)
"""The table of inputs as a schema of Spark, before :func:`absolve.spark.inputs` joins the parts of an archive."""


def conform(batch: Any, names: Iterable[str], columns: dict[str, pyarrow.DataType]) -> pyarrow.RecordBatch:
    """Returns the batch with exactly these columns, in this order. Those it does not have are null.

    Columns of names are dictionaries in Arrow, which Spark cannot read.
    """
    arrays, fields = [], []
    for name in names:
        kind = columns[name]
        index = batch.schema.get_field_index(name)
        array = pyarrow.nulls(len(batch), kind) if index < 0 else batch.column(index).cast(kind)
        arrays.append(array)
        fields.append(pyarrow.field(name, kind))
    return pyarrow.RecordBatch.from_arrays(arrays, schema=pyarrow.schema(fields))
