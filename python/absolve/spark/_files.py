"""Files: paths of this machine, and URLs of object stores, which are read with the credentials of the executor.

A URL is opened by pyarrow (``s3``, ``gs``, ``abfs``, ``hdfs``, ``file``), or by fsspec if pyarrow does not know its scheme.
"""

from __future__ import annotations

import fnmatch
import glob
import os
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urlsplit

from pyarrow import fs

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


def opened(path: str) -> Any:
    """Returns a file for reading bytes, which can seek. Its errors are those of the file system."""
    if not is_url(path):
        return open(path, "rb", buffering=0)
    found, name = filesystem(path)
    return found.open_input_file(name)


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
    if os.path.isfile(pattern):
        paths = [pattern]
    elif os.path.isdir(pattern):
        paths = [os.path.join(pattern, name) for name in os.listdir(pattern) if name.endswith(SUFFIXES)]
    else:
        paths = [path for path in glob.glob(pattern, recursive=True) if os.path.isfile(path)]
    return [File(path, status.st_size, status.st_mtime_ns) for path in sorted(paths) for status in [os.stat(path)]]


def _expanded_url(pattern: str) -> list[File]:
    found, name = filesystem(pattern)
    prefix = pattern[: len(pattern) - len(name)] if pattern.endswith(name) else pattern.partition("://")[0] + "://"
    has_pattern = any(character in name for character in "*?[")
    info = None if has_pattern else found.get_file_info(name)
    if info is not None and info.type == fs.FileType.File:
        return [File(pattern, info.size, info.mtime_ns)]
    if info is not None:
        folder, name = name.rstrip("/"), name.rstrip("/") + "/*"
    else:
        folder = name[: min(name.find(character) for character in "*?[" if character in name)].rpartition("/")[0]
    listed = found.get_file_info(fs.FileSelector(folder, recursive=has_pattern, allow_not_found=True))
    return sorted(
        (
            File(prefix + info.path, info.size, info.mtime_ns)
            for info in listed
            if info.type == fs.FileType.File
            and fnmatch.fnmatchcase(info.path, name)
            and (has_pattern or info.path.endswith(SUFFIXES))
        ),
        key=lambda file: file.path,
    )
