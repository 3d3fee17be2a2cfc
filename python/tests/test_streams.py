"""Files that are read and written, and what they may do."""

import errno
import io
import os
import pathlib

import absolve
import pytest

LONG = b"<meta charset=utf-8><title>x</title><body>" + b'<p>text</p><a href="a/b">link</a>\n' * 60_000


def test_a_long_document_is_streamed():
    output = io.BytesIO()
    report = absolve.Rewriter().rewrite_stream(io.BytesIO(LONG), output, "http://h/")
    assert output.getvalue() == absolve.rewrite(LONG, "http://h/")
    assert report.buffered is None
    assert (report.read, report.written, report.changed) == (len(LONG), len(output.getvalue()), True)
    assert report.counts["resolved"] == report.edited == 60_000
    assert report.base == "http://h/" and report.skipped == {}


def test_files_may_read_and_write_less_than_asked():
    class Reader(io.BytesIO):
        def read(self, size=-1):
            return super().read(min(size, 7))

    class Writer(io.RawIOBase):
        written = b""

        def write(self, data):
            self.written += data[:5]
            return len(data[:5])

    writer = Writer()
    absolve.Rewriter().rewrite_stream(Reader(b"<a href=x>link</a>"), writer, "http://h/")
    assert writer.written == b"<a href=http://h/x>link</a>"


class Mine(Exception):
    pass


class Reader:
    """A file that raises an exception after some calls."""

    def __init__(self, after):
        self.after = after

    def read(self, size):
        self.after -= 1
        if self.after < 0:
            raise Mine("reader")
        return LONG[:size]


MESSAGE = b"MIME-Version: 1.0\nContent-Type: text/html\n\n<a href=x>"


def test_no_folder_is_made_for_a_file(tmp_path):
    rewriter, path = absolve.Rewriter(), tmp_path / "typo" / "x"
    for call in (lambda: rewriter.rewrite_stream(b"<p>", path), lambda: rewriter.rewrite_archive(MESSAGE, path)):
        with pytest.raises(FileNotFoundError) as error:
            call()
        assert error.value.filename == str(path)
    assert list(tmp_path.iterdir()) == []


def test_an_object_that_is_no_file_is_a_type_error():
    rewriter = absolve.Rewriter()
    for call, name in (
        (lambda: absolve.archive(None), "source"),
        (lambda: rewriter.rewrite_stream(object(), io.BytesIO()), "source"),
        (lambda: rewriter.rewrite_stream(b"", None), "destination"),
        (lambda: rewriter.rewrite_stream(b"", object()), "destination"),
        (lambda: rewriter.rewrite_archive(MESSAGE, None), "destination"),
    ):
        with pytest.raises(TypeError, match=f"^{name}: must be a path.*, not (NoneType|object)$"):
            call()


@pytest.mark.parametrize("after", [0, 3])
def test_the_error_of_a_reader_is_raised(after):
    with pytest.raises(Mine, match="reader"):
        absolve.Rewriter().rewrite_stream(Reader(after), io.BytesIO(), "http://h/")


def test_the_error_of_a_writer_is_raised():
    class Writer:
        def write(self, data):
            raise Mine("writer")

    with pytest.raises(Mine, match="writer"):
        absolve.Rewriter().rewrite_stream(io.BytesIO(LONG), Writer(), "http://h/")


def test_closed_and_unsuitable_files():
    closed = io.BytesIO(b"")
    closed.close()
    with pytest.raises(ValueError, match="closed"):
        absolve.Rewriter().rewrite_stream(closed, io.BytesIO())
    with pytest.raises(TypeError, match="binary"):
        absolve.Rewriter().rewrite_stream(io.StringIO("<p>"), io.BytesIO())
    with pytest.raises(ValueError, match="closed"):
        absolve.Rewriter().rewrite_stream(b"<a href=x>", closed)


def test_an_archive_raises_the_error_of_its_file():
    class Reader:
        def read(self, size):
            raise Mine("archive")

    with pytest.raises(Mine, match="archive"):
        absolve.archive(Reader())


def test_paths(tmp_path):
    source, target = tmp_path / "source.html", tmp_path / "new" / "target.html"
    source.write_bytes(LONG)
    source.chmod(0o640)
    target.parent.mkdir()
    expected = absolve.rewrite(LONG, "http://h/")
    for given in (str(source), source, source.open("rb"), LONG):
        absolve.Rewriter().rewrite_stream(given, target, "http://h/")
        assert target.read_bytes() == expected
        target.write_bytes(b"old")
    absolve.Rewriter().rewrite_stream(source, str(source), "http://h/")
    assert source.read_bytes() == expected
    assert source.stat().st_mode & 0o777 == 0o640
    assert sorted(os.listdir(tmp_path)) == ["new", "source.html"]
    assert os.listdir(tmp_path / "new") == ["target.html"]


@pytest.mark.parametrize("after", [0, 3])
def test_an_error_leaves_the_file_at_a_path(after, tmp_path):
    target = tmp_path / "target.html"
    for content in (None, b"old"):
        if content:
            target.write_bytes(content)
        with pytest.raises(Mine, match="reader"):
            absolve.Rewriter().rewrite_stream(Reader(after), target, "http://h/")
        assert (target.read_bytes() if target.exists() else None) == content
        assert os.listdir(tmp_path) == (["target.html"] if content else [])


def test_errors_name_paths(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        absolve.Rewriter().rewrite_stream(tmp_path / "missing", tmp_path / "target")
    assert caught.value.filename == str(tmp_path / "missing")
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(OSError) as caught:
        absolve.Rewriter().rewrite_stream(b"<p>", tmp_path / "file" / "target")
    assert caught.value.filename == str(tmp_path / "file" / "target")
    with pytest.raises(OSError):
        absolve.Rewriter().rewrite_stream(b"<p>", tmp_path)
    assert os.listdir(tmp_path) == ["file"]


@pytest.mark.skipif(not pathlib.Path("/dev/full").exists(), reason="without a full device")
def test_a_full_disk_is_an_error():
    with pytest.raises(OSError) as caught:
        absolve.Rewriter().rewrite_stream(LONG, "/dev/full")
    assert (caught.value.errno, caught.value.filename) == (errno.ENOSPC, "/dev/full")
