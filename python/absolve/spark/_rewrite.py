"""Rewritten archives: one output for each input, on a file system that the executors share, or in an object store.

On a file system, a task writes each archive under a name of its own attempt, in ``OUTPUT/_absolve/RUN/``. Only the driver,
when all tasks have ended, renames the archives of the attempts that count, writes ``OUTPUT/_manifest.jsonl``, and removes
``OUTPUT/_absolve``. So a task that runs twice, or dies after its work, leaves one archive. After a run was killed, the next one
takes over the archives whose attempts were complete, removes the others, and writes what the manifest does not have.

An object appears when its upload is complete, and two attempts upload the same bytes. So a task uploads each archive under its
own name, and then the line of the manifest, as the object ``OUTPUT/_manifest.jsonl/NAME.json``. A line that is out of date is emptied
by the driver, before any task replaces its archive.
"""

from __future__ import annotations

import hashlib
import json
import os
import pathlib
import shutil
import tempfile
import uuid
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, astuple, dataclass
from typing import TYPE_CHECKING, Any, Iterable, Iterator, List, Mapping, Optional

from pyspark.sql.datasource import DataSource, DataSourceWriter, WriterCommitMessage
from pyspark.sql.types import Row, StructType

import absolve

from . import _files, _options

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

TEMPORARY = "_absolve"
ENTRY = "archive.json"
"""The line of the manifest beside a temporary archive, which is complete if it is there."""
MANIFEST = "_manifest.jsonl"


@dataclass
class Archive:
    """An archive that was rewritten: a line of the manifest."""

    warc: str
    output: str
    size: int
    sha256: str
    records: int
    documents: int
    rewritten: int
    edited: int
    problems: list[str]
    options: dict[str, Any]
    input_size: int | None = None
    input_modified: int | None = None


@dataclass
class Written(WriterCommitMessage):
    """The archives of a task, each with its temporary file; none that are in an object store already."""

    archives: list[tuple[str, Archive]]


def rewrite(spark: SparkSession, paths: str | Iterable[str], output: str, **options: Any) -> DataFrame:
    """Rewrites archives to a directory or the URL of an object store, and returns the manifest: a row for each archive.

    Archives that the manifest of ``output`` has are not written again, unless their file is missing or has another length, or
    the input has another length or time of its last change. The options are those of :func:`absolve.rewrite_archive`. Raises
    ``ValueError`` if two archives have one name. One run at a time may write to ``output``.
    """
    spark.dataSource.register(ArchiveSink)
    output = _files.absolute(output)
    if _files.is_url(output) and not output.startswith(_files.STORES):
        raise ValueError(f"{output}: incomplete archives could appear there; use a path, {' or '.join(_files.STORES)}")
    found = {file.path: file for path in ([paths] if isinstance(paths, str) else paths) for file in _files.expanded(path)}
    names: dict[str, str] = {}
    for path in found:
        name = _name(path)
        if names.setdefault(name, path) != path:
            raise ValueError(f"{names[name]} and {path} have one name; rewrite them to two directories")
    text = {name: value if isinstance(value, str) else json.dumps(value) for name, value in options.items()}
    writer = ArchiveWriter({"path": output, **text})
    if not _files.is_url(output):
        _take_over(output)
    known = manifest(output)
    sizes = {_name(file.path): file.size for file in _files.listed(output)}
    finished = {
        (archive.warc, archive.input_size, archive.input_modified)
        for archive in known
        if archive.options == writer.settings and sizes.get(archive.output) == archive.size
    }
    # Found before the archive is read: if it is replaced meanwhile, the next run writes it again.
    remaining = {astuple(file) for file in found.values()} - finished
    if _files.is_url(output):
        for name in {_name(path) for path, *_ in remaining} & {archive.output for archive in known}:
            _files.write(_place(output, name), b"")
    if remaining:
        rows = spark.sparkContext.parallelize(sorted(remaining, key=lambda row: row[0]), len(remaining))
        table = spark.createDataFrame(rows, "warc string, size bigint, modified bigint")
        table.write.format("absolve_archives").options(**text).mode("append").save(output)
    lines = [json.dumps(asdict(archive)) for archive in manifest(output) if archive.warc in found]
    return spark.read.json(spark.sparkContext.parallelize(lines), schema=_MANIFEST_SCHEMA)


_MANIFEST_SCHEMA = (
    "warc string, output string, size bigint, sha256 string, records bigint, documents bigint, rewritten bigint, "
    "edited bigint, problems array<string>"
)


def manifest(output: str) -> list[Archive]:
    """Returns the archives of a directory or object store that were rewritten."""
    path = _files.joined(output, MANIFEST)
    paths = [file.path for file in _files.listed(path)] if _files.is_url(output) else [path]
    try:
        with ThreadPoolExecutor(32) as pool:
            texts = list(pool.map(_files.read, paths))
    except FileNotFoundError:
        return []
    return [Archive(**json.loads(line)) for text in texts for line in text.splitlines()]


def _take_over(output: str) -> None:
    """Adds the complete archives of a run that was killed, and removes its other files."""
    found = []
    for entry in pathlib.Path(output, TEMPORARY).glob(f"*/*/{ENTRY}"):
        archive = Archive(**json.loads(entry.read_text(encoding="utf-8")))
        found.append((str(entry.with_name(archive.output)), archive))
    if found:
        _add(output, found)
    shutil.rmtree(os.path.join(output, TEMPORARY), ignore_errors=True)


def _add(output: str, written: Iterable[tuple[str, Archive]]) -> None:
    """Renames archives, and adds them to the manifest, which is replaced as a whole."""
    new = {}
    for temporary, archive in written:
        # Another attempt of a run that was killed may be the same archive.
        os.replace(temporary, os.path.join(output, archive.output))
        new[archive.output] = archive
    kept = [archive for archive in manifest(output) if archive.output not in new]
    _files.write(os.path.join(output, MANIFEST), b"".join(map(_line, [*kept, *new.values()])))


def _place(output: str, name: str) -> str:
    """Returns the URL of the line of the manifest about an archive of an object store."""
    return _files.joined(_files.joined(output, MANIFEST), f"{name}.json")


def _line(archive: Archive) -> bytes:
    return json.dumps(asdict(archive)).encode() + b"\n"


def _name(path: str) -> str:
    return _files.split(path)[0].rstrip("/").rpartition("/")[2]


class ArchiveSink(DataSource):
    """Writes the archives whose paths are the rows. :func:`rewrite` uses it."""

    @classmethod
    def name(cls) -> str:
        """Returns the name for ``format``."""
        return "absolve_archives"

    def writer(self, schema: StructType, overwrite: bool) -> DataSourceWriter:
        """Returns a writer to the directory of ``save``."""
        return ArchiveWriter(self.options)


class ArchiveWriter(DataSourceWriter):
    """Writes archives to temporary files, and renames them when all are written."""

    def __init__(self, options: Mapping[str, str]) -> None:
        rewriter, archive = _options.taken(options, ("path",))
        self.settings = {**rewriter, **archive}
        for name in ("document_limit", "record_limit"):
            if name in self.settings:
                raise ValueError(f"{name}: an option of the table of links, which has no effect on archives")
        self.output = next(value for name, value in options.items() if name.lower() == "path")
        self.run = os.path.join(self.output, TEMPORARY, uuid.uuid4().hex)

    def write(self, iterator: Iterator[Row]) -> Written:
        """Writes the archives of a task. Runs on an executor."""
        if not _files.is_url(self.output):
            return Written([self._attempt(row) for row in iterator])
        for row in iterator:
            with tempfile.TemporaryDirectory() as folder:
                temporary, archive = self._rewritten(folder, *row)
                _files.upload(temporary, _files.joined(self.output, archive.output))
            _files.write(_place(self.output, archive.output), _line(archive))
        return Written([])

    def _attempt(self, row: Row) -> tuple[str, Archive]:
        """Rewrites an archive to a temporary file, which another run can take over, and returns it."""
        attempt = os.path.join(self.run, uuid.uuid4().hex)
        os.makedirs(attempt)
        temporary, archive = self._rewritten(attempt, *row)
        _files.write(os.path.join(attempt, ENTRY), _line(archive))
        return temporary, archive

    def _rewritten(self, attempt: str, warc: str, size: int | None, modified: int | None) -> tuple[str, Archive]:
        """Rewrites an archive to a file in a folder, and returns the file."""
        temporary = os.path.join(attempt, _name(warc))
        report = None
        try:
            with _files.opened(warc) as source:
                report = absolve.rewrite_archive(source, temporary, **self.settings)
            problems = [
                f"{problem.message} at byte {problem.offset}" + f", {problem.skipped} bytes skipped" * (problem.skipped > 0)
                for problem in report.problems
            ]
        except ValueError as error:
            # The file is no archive.
            with _files.opened(warc) as source, open(temporary, "wb") as copy:
                shutil.copyfileobj(source, copy)
            problems = [f"{error}; copied"]
        archive = Archive(
            warc=warc,
            output=_name(warc),
            size=os.path.getsize(temporary),
            sha256=_digest(temporary),
            records=(report.records or 0) if report else 0,
            documents=report.documents if report else 0,
            rewritten=report.rewritten if report else 0,
            edited=report.edited if report else 0,
            problems=problems[:100],
            options=self.settings,
            input_size=size,
            input_modified=modified,
        )
        return temporary, archive

    def commit(self, messages: List[Optional[WriterCommitMessage]]) -> None:
        """Renames the archives, and adds them to the manifest. Runs beside the driver, once."""
        if _files.is_url(self.output):
            return
        written = [pair for message in messages if isinstance(message, Written) for pair in message.archives]
        _add(self.output, written)
        shutil.rmtree(os.path.join(self.output, TEMPORARY), ignore_errors=True)

    def abort(self, messages: List[Optional[WriterCommitMessage]]) -> None:
        """Removes what was written."""
        shutil.rmtree(self.run, ignore_errors=True)


def _digest(path: str) -> str:
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while chunk := file.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()
