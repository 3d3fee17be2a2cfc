"""The division of archives into partitions.

A unit is an archive, or a part of one that an index makes possible. A partition has consecutive units, of about
``partition_bytes`` bytes.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import Iterator, Mapping, Sequence

from ._files import File
from ._index import Places

PARTITION_BYTES = 64 << 20
"""Number of stored bytes of a partition, by default."""


@dataclass(frozen=True)
class Unit:
    """An archive, or one of its ``parts``, numbered by ``part`` from zero."""

    warc: str
    size: int
    part: int = 0
    parts: int = 1
    start: int = 0
    end: int | None = None
    """The offset before which records begin; ``None`` for the end of the archive."""
    offsets: bytes | None = None
    """The offsets of the records to be read, as numbers of eight bytes; ``None`` for all from ``start`` to ``end``."""

    def ranges(self) -> list[tuple[int, int | None]] | None:
        """Returns the parts of the archive that are read; ``None`` for all of it."""
        if self.offsets is not None:
            return [(offset, offset + 1) for offset in array("Q", self.offsets)]
        return None if self.start == 0 and self.end is None else [(self.start, self.end)]


def named(index: Mapping[str, Places], files: Sequence[File], prefix: str) -> dict[str, Places]:
    """Returns the places by the paths of the archives.

    File names of an index are paths, to be completed by ``prefix``. If ``files`` are loaded, they denote one of these, by the
    path or by its last part.
    """
    if not files:
        return {prefix + name: places for name, places in index.items()}
    paths = {file.path: file.path for file in files}
    last_parts: dict[str, str] = {}
    for path in paths:
        name = path.rpartition("/")[2]
        if last_parts.setdefault(name, path) != path and name in index:
            raise ValueError(f"index: {name} may be {last_parts[name]} or {path}; use an index with whole paths")
    found = {}
    for name, places in index.items():
        loaded = paths.get(prefix + name) or last_parts.get(name.rpartition("/")[2])
        if loaded is not None:
            found[loaded] = places
    return found


def units(files: Sequence[File], index: Mapping[str, Places] | None, partition_bytes: int) -> Iterator[Unit]:
    """Yields the units of archives.

    An archive that a complete index does not have is read as a whole, and one that a selection does not have not at all.
    """
    if index is None:
        yield from (_whole(file, partition_bytes) for file in files)
        return
    for file in files or [File(path) for path in index]:
        places = index.get(file.path)
        if places is not None:
            yield from _parts(file.path, places, partition_bytes)
        elif all(other.is_complete for other in index.values()):
            yield _whole(file, partition_bytes)


def _whole(file: File, partition_bytes: int) -> Unit:
    return Unit(file.path, partition_bytes if file.size is None else file.size)


def _parts(path: str, places: Places, partition_bytes: int) -> Iterator[Unit]:
    """Yields the parts of an archive, of about ``partition_bytes`` each."""
    groups: list[list[tuple[int, int]]] = []
    size = 0
    for place in places.ordered():
        if not groups or size + place[1] > partition_bytes:
            groups.append([])
            size = 0
        groups[-1].append(place)
        size += place[1]
    for number, group in enumerate(groups):
        size = sum(length for _, length in group)
        if places.is_complete:
            # The first and the last part have what the index does not: damage at the end, for example.
            start = group[0][0] if number > 0 else 0
            end = groups[number + 1][0][0] if number + 1 < len(groups) else None
            yield Unit(path, size, number, len(groups), start, end)
        else:
            offsets = array("Q", [offset for offset, _ in group]).tobytes()
            yield Unit(path, size, number, len(groups), offsets=offsets)


def partitions(found: Sequence[Unit], count: int) -> list[list[Unit]]:
    """Returns the units in order, in ``count`` groups of about the same number of bytes, or a group for each if they are few."""
    total = max(1, sum(unit.size for unit in found))
    groups: list[list[Unit]] = []
    last, before = -1, 0
    for position, unit in enumerate(found):
        number = (before + unit.size // 2) * count // total
        if number != last or len(found) - position <= count - len(groups):
            groups.append([])
            last = number
        groups[-1].append(unit)
        before += unit.size
    return groups
