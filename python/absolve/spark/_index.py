"""Indexes of archives: the offsets at which records begin.

Four formats are read, also compressed with gzip:

* JSON Lines of ``absolve index``, which has all records of its archives;
* CDXJ, with a key, a time and an object on each line;
* CDX, whose first line names the columns;
* Parquet with the columns ``warc_filename``, ``warc_record_offset`` and ``warc_record_length`` (the columnar index of Common
  Crawl).

The last three select records: captures of some pages, as a rule.
"""

from __future__ import annotations

import gzip
import io
import json
from array import array
from dataclasses import dataclass, field
from typing import Any, Iterable, Iterator

from ._files import opened


@dataclass
class Places:
    """The records of an archive: offsets and lengths in bytes. They are unsigned numbers of eight bytes."""

    is_complete: bool
    offsets: array[int] = field(default_factory=lambda: array("Q"))
    lengths: array[int] = field(default_factory=lambda: array("Q"))

    def ordered(self) -> list[tuple[int, int]]:
        """Returns pairs of offset and length, each offset once."""
        return sorted(dict(zip(self.offsets, self.lengths)).items())


def read(paths: Iterable[str]) -> dict[str, Places]:
    """Returns the places by the file names in the indexes.

    Raises ``ValueError`` for a line that is none of an index.
    """
    found: dict[str, Places] = {}
    for path in paths:
        with opened(path) as file:
            entries = _parquet(file) if _begins(file, b"PAR1") else _lines(file, path)
            for is_complete, name, offset, length in entries:
                places = found.setdefault(name, Places(is_complete))
                places.is_complete &= is_complete
                places.offsets.append(offset)
                places.lengths.append(length)
    return found


def _begins(file: Any, signature: bytes) -> bool:
    """Returns whether a file begins with these bytes. Its position is the beginning then."""
    begins = bool(file.read(len(signature)) == signature)
    file.seek(0)
    return begins


_Entry = tuple[bool, str, int, int]


def _parquet(file: Any) -> Iterator[_Entry]:
    from pyarrow import parquet

    columns = ["warc_filename", "warc_record_offset", "warc_record_length"]
    for batch in parquet.ParquetFile(file).iter_batches(columns=columns):
        for name, offset, length in zip(*(batch.column(column).to_pylist() for column in columns)):
            yield False, name, offset, length


def _lines(file: Any, path: str) -> Iterator[_Entry]:
    stream = gzip.open(file) if _begins(file, b"\x1f\x8b") else io.BufferedReader(file)
    columns: list[str] = []
    for number, line in enumerate(io.TextIOWrapper(stream, "utf-8", "replace"), 1):
        line = line.rstrip("\r\n")
        if line.lstrip().startswith("CDX "):
            columns = line.split()[1:]
            continue
        # Metadata of CDXJ.
        if not line or line.startswith("!"):
            continue
        try:
            yield _entry(line, columns)
        except (KeyError, ValueError, IndexError):
            raise ValueError(f"{path}: line {number} is none of an index: {line[:80]!r}") from None


def _entry(line: str, columns: list[str]) -> _Entry:
    """Returns the entry of a line. ``columns`` are the letters of the first line of a CDX file."""
    if columns:
        fields = line.split(" ")
        length = fields[columns.index("S")] if "S" in columns else "-"
        offset = int(fields[columns.index("V")])
        return False, fields[columns.index("g")], offset, 0 if length == "-" else int(length)
    place = json.loads(line[line.index("{") :])
    return line.startswith("{"), place["filename"], int(place["offset"]), int(place.get("length", 0))
