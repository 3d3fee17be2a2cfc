"""The data source."""

from __future__ import annotations

import json
import time
from typing import Any, Iterator, Mapping, Sequence

import pyarrow
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.types import StructType

import absolve

from . import _files, _index, _options, _plan, _schema

OPTIONS = ("path", "paths", "files_from", "index", "prefix", "table", "columns", "mode", "partitions", "partition_bytes")


class LinkSource(DataSource):
    """Reads WARC archives as a table. ``load`` takes files, directories and patterns, of this machine or of an object store.

    Options about the input:

    * ``files_from``: a file with a path on each line. Lengths are not looked up: each is a partition of its own.
    * ``index``: an index or a pattern, or several separated by commas. It divides long archives, or selects records. Without
      ``load``, its file names are read, completed by ``prefix``.
    * ``partition_bytes``: the number of stored bytes of a partition, by default 64 MiB; fewer if there were fewer partitions
      than cores. ``partitions`` is the number of them instead. Without an index, an archive is never divided.
    * ``mode``: ``permissive`` reads damaged archives as far as possible. ``failfast`` raises an exception.

    Options about the output:

    * ``table``: ``links``, ``inputs``, or ``all`` for both in one pass, with a column ``table`` and nulls in the other columns.
    * ``columns``: names separated by commas; by default ``*``, all but the optional ones ``text``, ``rel`` and ``alt`` of the
      element of a link.

    All others are options of :func:`absolve.warc_links_arrow` with their names: ``profile``, ``record_limit`` and so on.
    """

    cores = 1
    """The least number of partitions, unless the option ``partitions`` has it."""

    @classmethod
    def name(cls) -> str:
        """Returns the name for ``format``."""
        return "absolve"

    def schema(self) -> str:
        """Returns the columns."""
        settings = Settings(self.options)
        return _schema.ddl({name: settings.types[name] for name in settings.columns})

    def reader(self, schema: StructType) -> DataSourceReader:
        """Returns a reader, whose columns are those of ``schema``."""
        return LinkReader(Settings(self.options), self.options, self.cores)


class Settings:
    """The options of the data source, checked."""

    def __init__(self, options: Mapping[str, str]) -> None:
        self.rewriter, self.archive = _options.taken(options, OPTIONS)
        for name in _options.REWRITING:
            if name in self.rewriter:
                raise ValueError(f"{name}: an option for rewriting, which has no effect on the table")
        self.table = options.get("table", "links")
        if self.table not in _schema.TABLES:
            raise ValueError(f"table: no table {self.table!r}; use one of {', '.join(_schema.TABLES)}")
        defaults = _schema.TABLES[self.table]
        self.types = defaults if self.table == "inputs" else {**defaults, **_schema.ELEMENT_TEXT}
        names = [name.strip() for name in (options.get("columns") or "*").split(",")]
        self.columns = list(dict.fromkeys(column for name in names for column in (defaults if name == "*" else [name])))
        for name in self.columns:
            if name not in self.types:
                raise ValueError(f"columns: no column {name!r}; use some of {', '.join(self.types)}")
        self.element_text = not _schema.ELEMENT_TEXT.keys().isdisjoint(self.columns)
        self.mode = options.get("mode", "permissive").lower()
        if self.mode not in ("permissive", "failfast"):
            raise ValueError(f"mode: unknown: {self.mode!r}; use permissive or failfast")
        count = options.get("partitions")
        self.partitions = max(1, _options.integer("partitions", count)) if count else None
        size = options.get("partition_bytes", str(_plan.PARTITION_BYTES))
        self.partition_bytes = max(1, _options.integer("partition_bytes", size))


class UnitsPartition(InputPartition):
    """Parts of archives, which one task reads."""

    def __init__(self, units: Sequence[_plan.Unit]) -> None:
        super().__init__(None)
        self.units = units


class LinkReader(DataSourceReader):
    """Divides archives into partitions, and reads these."""

    def __init__(self, settings: Settings, options: Mapping[str, str], cores: int) -> None:
        self.settings = settings
        self.cores = cores
        self.options = dict(options)

    def partitions(self) -> Sequence[InputPartition]:
        """Returns the partitions. Runs once, beside the driver."""
        settings = self.settings
        files = self._files()
        partition_bytes = settings.partition_bytes
        index = None
        if indexes := self._option("index"):
            names = [file.path for path in indexes.split(",") for file in _files.expanded(path.strip())]
            index = _index.read(names)
            index = _plan.named(index, files, self._option("prefix") or "")
            size = sum(sum(places.lengths) for places in index.values())
            equal = max(1, -(-size // (settings.partitions or self.cores)))
            partition_bytes = equal if settings.partitions else min(equal, partition_bytes)
        elif not files:
            raise ValueError("no archives; pass paths to load(), or the option files_from or index")
        units = list(_plan.units(files, index, partition_bytes))
        count = settings.partitions
        if count is None:
            # A number of whole archives: if some partitions had one and others two, the last tasks would run alone.
            each = max(1, partition_bytes * len(units) // max(1, sum(unit.size for unit in units)))
            count = max(self.cores, -(-len(units) // each))
        return [UnitsPartition(group) for group in _plan.partitions(units, count)]

    def _option(self, name: str) -> str | None:
        return next((value for key, value in self.options.items() if key.lower() == name), None)

    def _files(self) -> list[_files.File]:
        """Returns the archives that are loaded, each once."""
        paths = [path] if (path := self._option("path")) else []
        # More than one argument of `load`.
        paths += json.loads(self._option("paths") or "[]")
        files = [file for path in paths for file in _files.expanded(path)]
        if listed := self._option("files_from"):
            names = _files.read(_files.absolute(listed)).decode("utf-8").splitlines()
            files += [_files.File(_files.absolute(name.strip())) for name in names if name.strip()]
        return list({file.path: file for file in files}.values())

    def read(self, partition: InputPartition) -> Iterator[pyarrow.RecordBatch]:
        """Yields the record batches of a partition. Runs in a task."""
        assert isinstance(partition, UnitsPartition)
        for unit in partition.units:
            yield from self._read_unit(unit)

    def _read_unit(self, unit: _plan.Unit) -> Iterator[pyarrow.RecordBatch]:
        settings = self.settings
        began = time.monotonic()
        with _files.opened(unit.warc) as file:
            found = absolve.warc_links_arrow(
                file,
                name=unit.warc,
                parts=unit.ranges(),
                element_text=settings.element_text,
                **settings.archive,
                **settings.rewriter,
            )
            for batch in found:
                if settings.table != "inputs":
                    yield self._conformed(pyarrow.record_batch(batch), "links")
        if settings.mode == "failfast" and found.problem is not None:
            raise ValueError(f"{unit.warc}: {found.problem} (mode failfast)")
        if settings.table != "links":
            row = {
                "warc": unit.warc,
                "part": unit.part,
                "parts": unit.parts,
                "seconds": time.monotonic() - began,
                **{name: getattr(found, name) for name in _COUNTS},
            }
            yield self._conformed(pyarrow.RecordBatch.from_pylist([row], _INPUTS), "inputs")

    def _conformed(self, batch: Any, table: str) -> pyarrow.RecordBatch:
        """Returns a batch with the columns of the settings."""
        if "table" in self.settings.columns:
            batch = batch.append_column("table", pyarrow.repeat(table, len(batch)))
        return _schema.conform(batch, self.settings.columns, self.settings.types)


_COUNTS = ("status", "damaged_at", "problem", "problems", "skipped", "records", "documents", "links")
_INPUTS = pyarrow.schema(list(_schema.INPUTS.items()))
