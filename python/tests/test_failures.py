"""Many failures and many calls: the caller gets its own exception, and no thread and no memory remains."""

import gc
import io
import os
import pathlib

import absolve
import pytest

PAGE = b"<meta charset=utf-8><body>" + b"<p><a href=x>The next chapter</a>" * 500

# The number of calls of each function. After as many, the allocator has the memory that it keeps for later calls.
CALLS = int(os.environ.get("ABSOLVE_CALLS", "40000"))


class Mine(Exception):
    pass


class Final(BaseException):
    pass


ERRORS = [Mine, Final, KeyboardInterrupt, SystemExit, MemoryError, UnicodeError]


def status(name):
    """Returns a number of the status of this process."""
    try:
        lines = pathlib.Path("/proc/self/status").read_text().splitlines()
    except OSError:
        pytest.skip("without /proc")
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:"))


def documents(count, error):
    for _ in range(count):
        yield PAGE, "http://h/"
    raise error


@pytest.mark.parametrize("kind", ERRORS)
@pytest.mark.parametrize("count", [0, 1, 300])
@pytest.mark.parametrize("function", [absolve.rewrite_many, absolve.links_arrow])
def test_the_exception_of_a_generator_is_raised_itself(function, count, kind):
    error = kind("mine")
    results = function(documents(count, error), threads=3)
    with pytest.raises(kind) as caught:
        for _ in results:
            pass
    assert caught.value is error
    assert list(results) == []


class File:
    """A file that raises an exception after some calls."""

    def __init__(self, error, calls, data=PAGE):
        self.error, self.calls, self.data = error, calls, data

    def call(self):
        self.calls -= 1
        if self.calls < 0:
            raise self.error

    def read(self, size):
        self.call()
        return self.data

    def write(self, data):
        self.call()


@pytest.mark.parametrize("kind", ERRORS + [OSError])
@pytest.mark.parametrize("calls", [0, 100])
def test_the_exception_of_a_file_is_raised_itself(calls, kind, tmp_path):
    error = kind("mine")
    rewriter = absolve.Rewriter()
    message = b"MIME-Version: 1.0\nContent-Type: text/html\n\n" + PAGE
    for call in (
        lambda: rewriter.rewrite_stream(File(error, calls), tmp_path / "target", "http://h/"),
        lambda: rewriter.rewrite_stream(File(error, calls), io.BytesIO(), "http://h/"),
        lambda: rewriter.rewrite_stream(PAGE * 5000, File(error, calls // 10), "http://h/"),
        lambda: rewriter.rewrite_archive(File(error, calls, message), tmp_path / "target"),
        lambda: rewriter.rewrite_archive(message, File(error, 0)),
        lambda: list(absolve.archive(File(error, calls, message))),
    ):
        with pytest.raises(kind) as caught:
            call()
        assert caught.value is error
    assert os.listdir(tmp_path) == []


def test_closed_files_are_errors_of_the_file(tmp_path):
    closed = open(tmp_path / "closed", "w+b")
    closed.close()
    rewriter = absolve.Rewriter()
    for call in (
        lambda: rewriter.rewrite_stream(closed, tmp_path / "target"),
        lambda: rewriter.rewrite_stream(PAGE, closed),
        lambda: rewriter.rewrite_archive(b"MIME-Version: 1.0\nContent-Type: text/html\n\n", closed),
        lambda: rewriter.rewrite_archive(closed, tmp_path / "target"),
        lambda: list(absolve.archive(closed)),
    ):
        with pytest.raises(ValueError, match="closed file"):
            call()
    assert os.listdir(tmp_path) == ["closed"]


def failures():
    """Fails once in every way."""
    for call in (
        lambda: list(absolve.rewrite_many(documents(40, Mine()), threads=4)),
        lambda: list(absolve.rewrite_many([(PAGE, "http://h/"), (PAGE, "relative")], threads=4)),
        lambda: list(absolve.links_arrow(documents(40, Mine()), threads=4)),
        lambda: absolve.Rewriter().rewrite_stream(File(Mine(), 100), io.BytesIO(), "http://h/"),
        lambda: absolve.Rewriter().rewrite_stream(PAGE * 100, File(Mine(), 0), "http://h/"),
        lambda: absolve.rewrite_links(PAGE, lambda link: documents(0, Mine()).__next__(), "http://h/"),
        lambda: absolve.rewrite(PAGE, "relative"),
        lambda: absolve.resolve("http://h/", "http://a b/", profile="whatwg"),
    ):
        with pytest.raises((Mine, ValueError)):
            call()
    # Iterators that are dropped before their end.
    next(absolve.rewrite_many([(PAGE, None)] * 200, threads=4))
    next(absolve.links_arrow([(PAGE, None)] * 200, threads=4))
    next(absolve.iterlinks(PAGE))


def test_failures_leave_no_threads_and_no_memory():
    def run(count):
        for _ in range(count):
            failures()
        gc.collect()

    run(30)
    threads, memory = status("Threads"), status("VmRSS")
    run(60)
    assert status("Threads") == threads
    # The results that precede the exceptions of `rewrite_many` alone have 29 MB. The allocator keeps some memory for each
    # thread.
    assert status("VmRSS") - memory < 24_000


def calls():
    data = b"<base href=b/><a href=x>\xc3\xbc</a><img srcset='a 1x, b 2x'>"
    text = data.decode()
    rewriter = absolve.Rewriter(preset="lazy")
    return {
        "make_links_absolute": lambda: absolve.make_links_absolute(data, "http://h/"),
        "make_links_absolute of str": lambda: absolve.make_links_absolute(text, "http://h/"),
        "rewrite": lambda: absolve.rewrite(data, "http://h/", to="relative"),
        "Rewriter.rewrite": lambda: rewriter.rewrite(text, "http://h/").skipped,
        "links": lambda: [(link.element, link.target) for link in absolve.links(text, "http://h/")],
        "iterlinks": lambda: next(absolve.iterlinks(data, "http://h/")),
        "base": lambda: absolve.base(data, "http://h/").candidates,
        "check": lambda: absolve.check(data, "http://h/"),
        "resolve": lambda: absolve.resolve("http://h/a/", "../b?\u00fc"),
        "relative": lambda: absolve.relative("http://h/a/", "http://h/b"),
        "rewrite_links": lambda: absolve.rewrite_links(text, lambda link: link.target, "http://h/"),
    }


@pytest.mark.parametrize("name", calls())
def test_many_calls_take_no_memory(name):
    """A call that kept 32 bytes would exceed the limit in every round.

    In one round, the memory that other tests have freed may come into use again.
    """
    call = calls()[name]

    def growth(count):
        before = status("VmRSS")
        for _ in range(count):
            call()
        gc.collect()
        return status("VmRSS") - before

    growth(40_000)
    assert any(growth(CALLS) < 1024 for _ in range(3))
