"""Containers that are rewritten: the bytes are those of the command, and nothing is lost on an error."""

import gzip
import io
import os
import pathlib
import re
import subprocess
import sys
import textwrap

import absolve
import pytest

import support

CONTAINERS = sorted(path for path in (support.FIXTURES / "containers").iterdir() if path.suffix in {".eml", ".http", ".mbox", ".warc", ".zst"})
BASES = support.FIXTURES / "containers" / "bases.eml"
REVISITS = support.FIXTURES / "containers" / "revisits.warc"

# Options of the command, and the same for Python.
OPTIONS = [
    ([], {}),
    (["--url", "https://h.example/d/"], {"url": "https://h.example/d/"}),
    (["--enclosing-base", "http://e.example/x/", "--default-base", "http://f.example/"], {"enclosing_base": "http://e.example/x/", "default_base": "http://f.example/"}),
    (["--legacy-headers", "--profile", "whatwg", "--encoding", "utf-8"], {"legacy_headers": True, "profile": "whatwg", "encoding": "utf-8"}),
    (["--to", "root-relative", "--url", "http://a/b/c"], {"to": "root-relative", "url": "http://a/b/c"}),
]


def by_command(source, folder, arguments):
    """Returns the output of the command, its statistics and its exit status."""
    target = folder / "by-command"
    command = [support.command(), "rewrite", "--stats", *arguments, source, "-o", target]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode in (0, 1, 2), result.stderr
    return target.read_bytes(), result.stderr.replace("absolve: ", "")


def compare(source, folder, arguments, options):
    """Checks that Python writes the bytes of the command, and counts what the command counts. Returns the report."""
    expected, statistics = by_command(source, folder, arguments)
    target = folder / "by-python"
    report = absolve.rewrite_archive(source, target, **options)
    assert target.read_bytes() == expected, source
    documents, changed = re.search(r"^documents: (\d+), changed: (\d+)", statistics, re.MULTILINE).groups()
    assert (report.documents, report.rewritten) == (int(documents), int(changed))
    links = re.search(r"resolved: (\d+), absolute: (\d+), skipped: (\d+)", statistics).groups()
    assert tuple(report.counts[name] for name in ("resolved", "absolute", "skipped")) == tuple(map(int, links))
    skipped = re.search(r"^skipped: (.*)", statistics, re.MULTILINE)
    pairs = (item.split(": ") for item in skipped[1].split(", ")) if skipped else ()
    assert report.skipped == {name: int(count) for name, count in pairs}
    assert report.changed == (expected != source.read_bytes())
    return report


def members(archive):
    """Returns the archive with each record in a gzip member of its own."""
    starts = [match.start() for match in re.finditer(rb"^WARC/1", archive, re.MULTILINE)]
    records = [archive[start:end] for start, end in zip(starts, starts[1:] + [len(archive)])]
    return b"".join(gzip.compress(record, mtime=0) for record in records)


@pytest.mark.parametrize("in_records", [False, True])
@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: " ".join(options[0]))
@pytest.mark.parametrize("path", CONTAINERS, ids=lambda path: path.name)
def test_fixture(path, options, in_records, tmp_path):
    arguments, keywords = options
    arguments = [*arguments, *(["--in-records"] if in_records else [])]
    compare(path, tmp_path, arguments, {**keywords, "in_records": in_records})


@pytest.mark.parametrize("in_records", [False, True])
def test_compressed_records(in_records, tmp_path):
    source = tmp_path / "revisits.warc.gz"
    source.write_bytes(members(REVISITS.read_bytes()))
    arguments = ["--in-records"] if in_records else []
    report = compare(source, tmp_path, arguments, {"in_records": in_records})
    assert (report.format, report.records, report.rewritten) == ("warc", 3, 1)
    plain = io.BytesIO()
    absolve.rewrite_archive(REVISITS, plain, in_records=in_records)
    assert gzip.decompress((tmp_path / "by-python").read_bytes()) == plain.getvalue()


def test_containers_of_the_corpora(tmp_path):
    folder = support.corpora() / "containers"
    extensions = (".eml", ".mht", ".mhtml", ".http", ".warc", ".warc.gz", ".warc.zst")
    paths = sorted(path for path in folder.rglob("*") if path.name.endswith(extensions) and path.stat().st_size < 20_000_000)
    assert len(paths) > 20
    formats = set()
    for number, path in enumerate(paths):
        in_records = number % 2 == 0
        arguments = ["--in-records"] if in_records else []
        formats.add(compare(path, tmp_path, arguments, {"in_records": in_records}).format)
    assert formats == {"http", "mime", "warc"}


def test_sources_and_destinations(tmp_path):
    source = BASES.read_bytes()
    expected = io.BytesIO()
    report = absolve.rewrite_archive(BASES, expected)
    expected = expected.getvalue()
    assert report.changed and report.edited >= report.rewritten > 0
    assert report.records is None and report.format == "mime"
    assert expected != source
    (tmp_path / "new").mkdir()
    for number, given in enumerate([str(BASES), source, io.BytesIO(source), BASES.open("rb")]):
        target = tmp_path / "new" / str(number)
        absolve.rewrite_archive(given, str(target))
        assert target.read_bytes() == expected
    assert sorted(os.listdir(tmp_path / "new")) == ["0", "1", "2", "3"]


def test_an_existing_file_keeps_its_mode_and_a_link_is_followed(tmp_path):
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_bytes(b"old")
    target.chmod(0o640)
    link.symlink_to(target)
    absolve.rewrite_archive(BASES, link)
    assert link.is_symlink()
    assert target.stat().st_mode & 0o777 == 0o640
    assert target.read_bytes() != b"old"


def test_problems_say_what_was_not_rewritten():
    # The second chunk has no length, so the end of the document is unknown.
    dump = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n<p>\r\nx\r\n"
    output = io.BytesIO()
    report = absolve.rewrite_archive(dump, output, "http://h/")
    assert output.getvalue() == dump
    assert [(problem.label, problem.message) for problem in report.problems] == [("1", "invalid chunk")]
    assert not report.changed and report.documents == 1


def test_an_archive_that_is_compressed_as_a_whole_is_copied(tmp_path):
    source = tmp_path / "whole.warc.gz"
    source.write_bytes(gzip.compress(REVISITS.read_bytes(), mtime=0))
    report = compare(source, tmp_path, ["--in-records"], {"in_records": True})
    assert not report.changed
    assert [problem.message for problem in report.problems] == ["gzip member with several records"]


class Mine(Exception):
    pass


class Failing:
    """A file that raises an exception after some calls."""

    def __init__(self, data=b"", after=0):
        self.data, self.after, self.calls = data, after, 0

    def call(self):
        self.calls += 1
        if self.calls > self.after:
            raise Mine("mine")

    def read(self, size):
        self.call()
        return self.data

    def write(self, data):
        self.call()


def record(number, length=20):
    page = b"<a href=x>x</a>" * length
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page
    head = f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{number}>\r\nWARC-Target-URI: http://h/{number}\r\n"
    head += f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(block)}\r\n\r\n"
    return head.encode() + block + b"\r\n\r\n"


@pytest.mark.parametrize("after", [0, 1, 5])
@pytest.mark.parametrize("data", [record(1), members(record(1)), b"MIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n"])
def test_the_error_of_a_reader_is_raised_and_the_old_file_remains(data, after, tmp_path):
    target = tmp_path / "target"
    target.write_bytes(b"old")
    with pytest.raises(Mine, match="mine"):
        absolve.rewrite_archive(Failing(data, after), target)
    assert target.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["target"]


def test_archive_raises_the_error_of_its_file_between_documents():
    entities = absolve.archive(Failing(record(1), after=100))
    with pytest.raises(Mine, match="mine"):
        list(entities)


@pytest.mark.parametrize("after", [0, 2])
def test_the_error_of_a_writer_is_raised_once(after):
    writer = Failing(after=after)
    with pytest.raises(Mine, match="mine"):
        absolve.rewrite_archive(b"".join(map(record, range(5000))), writer)
    assert writer.calls == after + 1


def test_files_that_are_no_binary_files():
    with pytest.raises(TypeError, match="binary"):
        absolve.rewrite_archive(io.StringIO("x"), io.BytesIO())
    with pytest.raises(TypeError):
        absolve.rewrite_archive(BASES, io.StringIO())
    with pytest.raises(TypeError, match="write"):
        absolve.rewrite_archive(BASES, object())


def test_a_missing_source_is_named(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        absolve.rewrite_archive(tmp_path / "missing.warc", tmp_path / "target")
    assert caught.value.filename == str(tmp_path / "missing.warc")
    assert os.listdir(tmp_path) == []


def test_a_destination_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(OSError) as caught:
        absolve.rewrite_archive(BASES, tmp_path / "file" / "target")
    assert caught.value.filename == str(tmp_path / "file" / "target")
    with pytest.raises(IsADirectoryError, match=tmp_path.name):
        absolve.rewrite_archive(BASES, tmp_path)
    assert os.listdir(tmp_path) == ["file"]


@pytest.mark.skipif(not pathlib.Path("/dev/full").exists(), reason="without a full device")
def test_a_full_disk_is_an_error():
    with pytest.raises(OSError) as caught:
        absolve.rewrite_archive(BASES, "/dev/full")
    assert caught.value.filename == "/dev/full"


def test_the_source_is_no_destination(tmp_path):
    source = tmp_path / "source.eml"
    source.write_bytes(BASES.read_bytes())
    os.link(source, tmp_path / "hard")
    (tmp_path / "soft").symlink_to(source)
    memory = io.BytesIO(BASES.read_bytes())
    with source.open("r+b") as file:
        for given, target in [(source, source), (source, tmp_path / "hard"), (tmp_path / "soft", source), (source, file), (file, source), (memory, memory)]:
            with pytest.raises(ValueError, match="^destination: the file is the source"):
                absolve.rewrite_archive(given, target)
    assert source.read_bytes() == memory.getvalue() == BASES.read_bytes()


def test_other_files_are_rejected_before_the_destination_is_written(tmp_path):
    target = tmp_path / "target"
    for source in (b"", b"<p>", b"PK\x03\x04"):
        with pytest.raises(ValueError, match="no container"):
            absolve.rewrite_archive(source, target)
    with pytest.raises(ValueError, match="^url: "):
        absolve.rewrite_archive(BASES, target, "x")
    with pytest.raises(ValueError, match="^encoding: "):
        absolve.rewrite_archive(BASES, target, encoding="x")
    with pytest.raises(TypeError, match="kind"):
        absolve.rewrite_archive(BASES, target, kind="css")
    assert not target.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("how", ["reader", "archive", "mailbox"])
def test_an_interrupt_ends_the_work(how, tmp_path):
    program = textwrap.dedent(
        """
        import itertools, os, signal, sys, threading, absolve
        sys.path.insert(0, sys.argv[2])
        from test_rewrite_archive import record
        class Endless:
            numbers = itertools.count()
            def read(self, size): return record(next(self.numbers))
        if sys.argv[1] == "reader":
            source = Endless()
        elif sys.argv[1] == "archive":
            source = record(1, 2000) * 4000
        else:
            page = b"From a@b Mon Jan  1 00:00:00 2024\\nContent-Type: text/html\\n\\n" + b"<a href=x>x</a>\\n" * 2000 + b"\\n"
            source = page * 4000
        try:
            # Soon enough for the work, which takes longer.
            threading.Timer(0.02, os.kill, (os.getpid(), signal.SIGINT)).start()
            absolve.rewrite_archive(source, sys.argv[3] + "/target", "http://h/", in_records=True)
        except KeyboardInterrupt:
            print("interrupted")
        """
    )
    arguments = [sys.executable, "-c", program, how, str(pathlib.Path(__file__).parent), str(tmp_path)]
    result = subprocess.run(arguments, stdout=subprocess.PIPE, text=True, timeout=60)
    assert result.stdout == "interrupted\n"
    assert os.listdir(tmp_path) == []
