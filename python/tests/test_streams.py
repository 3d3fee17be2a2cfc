"""Files that are read and written, and what they may do."""

import io
import signal
import subprocess
import sys
import textwrap

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


@pytest.mark.parametrize("after", [0, 3])
def test_the_error_of_a_reader_is_raised(after):
    class Reader:
        calls = 0

        def read(self, size):
            if self.calls == after:
                raise Mine("reader")
            self.calls += 1
            return LONG[:size]

    with pytest.raises(Mine, match="reader"):
        absolve.Rewriter().rewrite_stream(Reader(), io.BytesIO(), "http://h/")


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
    with pytest.raises(AttributeError):
        absolve.Rewriter().rewrite_stream(b"<p>", io.BytesIO())


def test_an_archive_raises_the_error_of_its_file():
    class Reader:
        def read(self, size):
            raise Mine("archive")

    with pytest.raises(Mine, match="archive"):
        absolve.archive(Reader())


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("how", ["many", "stream"])
def test_an_interrupt_ends_endless_work(how):
    program = textwrap.dedent(
        """
        import itertools, sys, absolve
        page = b"<meta charset=utf-8><body>" + b"<a href=x>x</a>" * 2000
        class Endless:
            def read(self, size): return page
        class Nowhere:
            def write(self, data): pass
        try:
            print("ready", flush=True)
            if sys.argv[1] == "many":
                for _ in absolve.rewrite_many(itertools.repeat((page, "http://h/"))): pass
            else:
                absolve.Rewriter().rewrite_stream(Endless(), Nowhere(), "http://h/")
        except KeyboardInterrupt:
            print("interrupted", flush=True)
        """
    )
    process = subprocess.Popen([sys.executable, "-c", program, how], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=60)
    finally:
        process.kill()
    assert output == "interrupted\n"
    assert process.returncode == 0
