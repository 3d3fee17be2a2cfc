"""Links of many documents as record batches: their columns, their size, and errors."""

import gc
import itertools
import signal
import subprocess
import sys
import textwrap

import absolve
import pytest

import support

PAGES = [
    (b'<base href="/docs/"><a href=x>x</a><img srcset="a 1x, b 2x"><a href="#top">', "http://h/a/b"),
    ('\u00fc<a href="\u00e9">x</a><a href={{y}}><a href="http://g/">', "http://h/"),
    (b"", "http://h/"),
    ('<iframe srcdoc="<base href=c/><a href=d>"></iframe>', None),
    (b'<a href="?q"><form action="f">', "http://h/a/b"),
    # Found out after the first link: reading starts over, in another encoding or with the tree builder.
    (b"<a href=x>" + b" " * 2000 + b'<meta charset=windows-1251><a href="\xe9">', "http://h/"),
    (b'<p><a href=x><template></template><base href="/late/"><a href=y>', "http://h/"),
]

COLUMNS = (
    "base base_source element attribute role grammar reference target status reason start end depth".split()
)


def rows(pages, **options):
    """Returns the rows that the lists of links of `pages` are."""
    for number, (html, url) in enumerate(pages):
        for link in absolve.links(html, url, **options):
            yield {"document": number, "url": url, **{name: getattr(link, name) for name in COLUMNS}}


@pytest.fixture
def pyarrow():
    return library("pyarrow")


def library(name):
    try:
        return __import__(name)
    except ImportError:
        support.missing(name)


@pytest.mark.parametrize("options", [{}, {"profile": "whatwg", "preset": "none", "link": {"a[href]": "url"}}])
@pytest.mark.parametrize("threads", [0, 1, 2, 7])
def test_rows_are_those_of_links(pyarrow, threads, options):
    pages = PAGES * 700
    table = pyarrow.table(absolve.links_arrow(pages, threads=threads, **options))
    assert table.to_pylist() == list(rows(pages, **options))
    assert table.column_names == ["document", "url", *COLUMNS]


def test_polars_reads_the_stream():
    polars = library("polars")
    assert polars.DataFrame(absolve.links_arrow(PAGES)).to_dicts() == list(rows(PAGES))


def test_duckdb_reads_the_stream():
    duckdb = library("duckdb")
    # DuckDB finds the variable by its name.
    found_links = absolve.links_arrow(PAGES)
    found = duckdb.sql("SELECT * FROM found_links")
    assert [dict(zip(found.columns, row)) for row in found.fetchall()] == list(rows(PAGES))
    del found_links


def test_a_batch_is_a_table_of_its_own(pyarrow):
    batches = list(absolve.links_arrow(PAGES))
    assert [len(batch) for batch in batches] == [len(list(rows(PAGES)))]
    assert pyarrow.record_batch(batches[0]).to_pylist() == list(rows(PAGES))
    assert pyarrow.schema(batches[0]) == pyarrow.schema(absolve.links_arrow([]))


def test_no_documents_and_no_links(pyarrow):
    assert pyarrow.table(absolve.links_arrow([])).num_rows == 0
    assert list(absolve.links_arrow([])) == []
    assert list(absolve.links_arrow([(b"<p>", None)] * 5000)) == []


def test_many_links_and_long_urls_are_several_batches(pyarrow):
    table = pyarrow.table(absolve.links_arrow([(b"<p><a href=x>The next chapter</a>" * 200_000, "http://h/")]))
    assert table.num_rows == 200_000
    assert max(len(batch) for batch in table.to_batches()) == 65_536
    assert set(table.column("target").to_pylist()) == {"http://h/x"}
    # The columns of each row have the URL three times: 90 MB.
    url = "http://h/" + "d" * 30_000 + "/"
    limit = {"base-length": 50_000, "growth": 100_000_000}
    batches = list(absolve.links_arrow([(b"<a href=x>" * 1000, url)], limit=limit))
    assert len(batches) > 1 and sum(map(len, batches)) == 1000


def test_documents_are_taken_as_they_are_needed():
    taken, closed = itertools.count(), []

    def endless():
        try:
            for _ in taken:
                yield b"<a href=x>" * 1000, "http://h/"
        finally:
            closed.append(True)

    batches = absolve.links_arrow(endless(), threads=2)
    assert len(next(batches)) == 65_536
    # A batch of documents has 4 MiB for each thread.
    assert next(taken) < 1000
    del batches
    gc.collect()
    assert closed == [True]


def test_a_stream_that_is_dropped_releases_the_documents(pyarrow):
    closed = []

    def endless():
        try:
            while True:
                yield b"<a href=x>" * 1000, "http://h/"
        finally:
            closed.append(True)

    reader = pyarrow.RecordBatchReader.from_stream(absolve.links_arrow(endless()))
    assert reader.read_next_batch().num_rows > 0
    del reader
    gc.collect()
    assert closed == [True]


def test_a_stream_in_use_is_refused(pyarrow):
    batches = absolve.links_arrow(PAGES)
    assert pyarrow.table(batches).num_rows > 0
    with pytest.raises(ValueError, match="links_arrow"):
        pyarrow.table(batches)

    def documents():
        yield PAGES[0]
        with pytest.raises(RuntimeError, match="already"):
            next(batches)
        yield PAGES[1]

    batches = absolve.links_arrow(documents())
    assert sum(map(len, batches)) == len(list(rows(PAGES[:2])))


class Mine(Exception):
    pass


def failing():
    yield PAGES[0]
    raise Mine("text")


def test_an_error_of_the_iterable_follows_the_links_before_it():
    batches = absolve.links_arrow(failing())
    assert len(next(batches)) == len(list(rows(PAGES[:1])))
    with pytest.raises(Mine, match="text"):
        next(batches)
    with pytest.raises(StopIteration):
        next(batches)
    with pytest.raises(ValueError, match="relative"):
        next(absolve.links_arrow([(b"", "relative")]))
    with pytest.raises(TypeError):
        next(absolve.links_arrow([3]))
    with pytest.raises(TypeError):
        absolve.links_arrow(3)


def test_a_stream_keeps_the_error_of_the_iterable(pyarrow):
    batches = absolve.links_arrow(failing())
    assert batches.error is None
    with pytest.raises(pyarrow.ArrowException, match="Mine: text"):
        pyarrow.table(batches)
    assert isinstance(batches.error, Mine)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("how", ["batches", "stream"])
def test_an_interrupt_ends_endless_work(how):
    library("pyarrow")
    program = textwrap.dedent(
        """
        import itertools, sys, absolve, pyarrow
        page = b"<meta charset=utf-8><body>" + b"<a href=x>x</a>" * 2000
        batches = absolve.links_arrow(itertools.repeat((page, "http://h/")))
        if sys.argv[1] == "stream":
            batches = pyarrow.RecordBatchReader.from_stream(batches)
        try:
            next(iter(batches))
            print("ready", flush=True)
            for _ in batches: pass
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
