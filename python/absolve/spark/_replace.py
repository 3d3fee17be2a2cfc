"""A folder that is replaced as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# Spark writes this file into a folder when all of its tasks are committed.
COMPLETE = "_SUCCESS"


class Replacement:
    """The folder ``new``, to be written by Spark, that takes the place of ``output`` once it is complete.

    Two renames replace a folder. A process that is killed between them leaves the old folder under another name, and
    the next replacement of ``output`` finishes it first.
    """

    def __init__(self, spark: SparkSession, output: str) -> None:
        # The file systems of Spark, which know what ``output`` means. They are those of the Java virtual machine.
        java = getattr(spark, "_jvm", None)
        if java is None:
            raise RuntimeError("write_tables needs the driver of a cluster; Spark Connect has no access to its file systems")
        self._path = java.org.apache.hadoop.fs.Path
        self._files = self._path(output).getFileSystem(spark._jsc.hadoopConfiguration())
        output = output.rstrip("/")
        self._output, self.new, self._old = output, f"{output}.absolve-new", f"{output}.absolve-old"
        self._finish_last()

    def _exists(self, path: str) -> bool:
        return bool(self._files.exists(self._path(path)))

    def _delete(self, path: str) -> None:
        self._files.delete(self._path(path), True)

    def _rename(self, path: str, to: str) -> None:
        if not self._files.rename(self._path(path), self._path(to)):
            raise OSError(f"cannot rename {path} to {to}")

    def _finish_last(self) -> None:
        """Finishes a replacement that was killed: the new folder counts if it is complete."""
        if self._exists(self._old) and not self._exists(self._output):
            is_complete = self._exists(f"{self.new}/{COMPLETE}")
            self._rename(self.new if is_complete else self._old, self._output)
        self._delete(self._old)
        self._delete(self.new)

    def commit(self) -> None:
        """Puts the new folder in the place of ``output``."""
        if self._exists(self._output):
            self._rename(self._output, self._old)
        try:
            self._rename(self.new, self._output)
        except Exception:
            if self._exists(self._old):
                self._rename(self._old, self._output)
            raise
        self._delete(self._old)
