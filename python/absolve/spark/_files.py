"""Files: paths of this machine, and URLs of object stores, which are read with the credentials of the executor.

A URL is opened by pyarrow (``s3``, ``gs``, ``abfs``, ``hdfs``, ``file``), or by fsspec if pyarrow does not know its scheme.
"""

from __future__ import annotations

import fnmatch
import glob
import os
import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urlsplit

from pyarrow import fs

from absolve._absolve import write_file

STORES = ("s3://", "s3a://", "gs://")
"""Beginnings of the URLs of stores in which pyarrow shows an object only when its upload is complete."""

SUFFIXES = (".warc", ".warc.gz", ".warc.zst")
"""Ends of the names of archives, which are read of a directory."""


@dataclass(frozen=True)
class File:
    """A file, with its length in bytes and the time of its last change in nanoseconds, if they are known."""

    path: str
    size: int | None = None
    modified: int | None = None


def is_url(path: str) -> bool:
    """Returns whether a path is a URL, and not a path of this machine."""
    return "://" in path or path.startswith("file:")


def absolute(path: str) -> str:
    """Returns the path for any directory that a program may be in. Executors have another one than the driver."""
    if path.startswith("file:"):
        return unquote(urlsplit(path).path)
    return path if is_url(path) else os.path.abspath(path)


def filesystem(url: str) -> tuple[Any, str]:
    """Returns the file system of a URL, and the path in it."""
    scheme, _, rest = url.partition("://")
    if scheme in ("s3a", "s3n"):
        url = f"s3://{rest}"
    try:
        return fs.FileSystem.from_uri(url)  # type: ignore[no-any-return]
    except (ValueError, NotImplementedError) as error:
        try:
            from fsspec.core import url_to_fs
        except ImportError:
            raise ValueError(f"{url}: {error}; install fsspec and its package for {scheme}") from None
        found, path = url_to_fs(url)
        return fs.PyFileSystem(fs.FSSpecHandler(found)), path


def split(path: str) -> tuple[str, str]:
    """Returns a path or URL without the query of the URL, which has options of the file system, and the query."""
    name, mark, query = path.partition("?")
    return (name, mark + query) if is_url(path) and "=" in query else (path, "")


def joined(folder: str, name: str) -> str:
    """Returns the path of a file in a folder."""
    path, query = split(folder)
    return f"{path.rstrip('/')}/{name}{query}"


def listed(folder: str) -> list[File]:
    """Returns the files in a folder, by name; none if there is no such folder."""
    found, name = filesystem(folder)
    infos = found.get_file_info(fs.FileSelector(name, allow_not_found=True))
    return [
        File(joined(folder, info.base_name), info.size, info.mtime_ns)
        for info in sorted(infos, key=lambda info: info.path)
        if info.type == fs.FileType.File
    ]


def opened(path: str) -> Any:
    """Returns a file for reading bytes, which can seek. Its errors are those of the file system."""
    if not is_url(path):
        return open(path, "rb", buffering=0)
    found, name = filesystem(path)
    return found.open_input_file(name)


def read(path: str) -> bytes:
    """Returns the content of a file."""
    with opened(path) as file:
        return bytes(file.read())


def write(path: str, content: bytes) -> None:
    """Replaces a file, or an object of a store, as a whole."""
    if not is_url(path):
        write_file(path, content)
        return
    found, name = filesystem(path)
    with found.open_output_stream(name, compression=None) as stream:
        stream.write(content)


def upload(file: str, url: str) -> None:
    """Replaces an object of a store by a file of this machine. The object appears when it is complete."""
    found, name = filesystem(url)
    fs.copy_files(file, name, source_filesystem=fs.LocalFileSystem(), destination_filesystem=found)


def expanded(pattern: str) -> list[File]:
    """Returns the files that a path denotes: itself, the archives in a directory, or a pattern with ``*``, ``?`` or ``[``.

    Raises ``FileNotFoundError`` if there are none.
    """
    pattern = absolute(pattern)
    files = _expanded_url(pattern) if is_url(pattern) else _expanded_path(pattern)
    if not files:
        raise FileNotFoundError(f"{pattern}: no files; archives in a directory must end in {', '.join(SUFFIXES)}")
    return files


def _expanded_path(pattern: str) -> list[File]:
    if os.path.isdir(pattern):
        return [file for file in listed(pattern) if file.path.endswith(SUFFIXES)]
    paths = [pattern] if os.path.isfile(pattern) else glob.glob(pattern, recursive=True)
    paths = [path for path in paths if os.path.isfile(path)]
    return [File(path, status.st_size, status.st_mtime_ns) for path in sorted(paths) for status in [os.stat(path)]]


def _expanded_url(url: str) -> list[File]:
    pattern, query = split(url)
    if not (special := re.search(r"[*?[]", pattern)):
        found, name = filesystem(url)
        info = found.get_file_info(name)
        if info.type == fs.FileType.File:
            return [File(url, info.size, info.mtime_ns)]
        return [file for file in listed(url) if split(file.path)[0].endswith(SUFFIXES)]
    # A URL has no such characters.
    folder = pattern[: special.start()].rpartition("/")[0]
    found, name = filesystem(folder + query)
    infos = found.get_file_info(fs.FileSelector(name, recursive=True, allow_not_found=True))
    return [
        File(folder + info.path[len(name) :] + query, info.size, info.mtime_ns)
        for info in sorted(infos, key=lambda info: info.path)
        if info.type == fs.FileType.File and fnmatch.fnmatchcase(folder + info.path[len(name) :], pattern)
    ]
