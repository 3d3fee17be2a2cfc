"""Links of WARC archives as record batches: rows, parts, damage, and what the end tells."""

import gzip
import io
import json
import subprocess
import zlib

import absolve
import pytest

import support


def record(kind="response", url="http://h/", body=b"<a href=x>", head=b"Content-Type: text/html\r\n"):
    """Returns a record of an archive."""
    block = b"HTTP/1.1 200 OK\r\n" + head + b"\r\n" + body
    fields = f"WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Record-ID: <urn:x:{url}>\r\n"
    fields += "WARC-Date: 2026-01-02T03:04:05Z\r\nContent-Type: application/http; msgtype=response\r\n"
    return fields.encode() + b"Content-Length: %d\r\n\r\n" % len(block) + block + b"\r\n\r\n"


@pytest.fixture
def pyarrow():
    try:
        import pyarrow
    except ImportError:
        support.missing("pyarrow")
    return pyarrow


def archives():
    folder = support.corpora() / "containers" / "warc"
    found = sorted(folder.iterdir())
    assert len(found) > 20
    return found


def of_the_command(path):
    """Returns the links of an archive that the command finds."""
    command = [support.command(), "links", "--format", "jsonl", "--input-format", "warc", path]
    run = subprocess.run(command, capture_output=True)
    return [json.loads(line) for line in run.stdout.splitlines()]


FIELDS = "element attribute grammar role reference target base base_source status reason start end".split()


def as_the_command(row):
    """Returns a row with the names of the command."""
    number, offset = row["record_number"], row["record_offset"]
    entity = str(offset) if number == 1 else f"{offset}.{number}"
    return {"path": row["warc"], "entity": entity, **{name: row[name] for name in FIELDS}}


def test_rows_are_those_of_the_command(pyarrow):
    for path in archives():
        found = pyarrow.table(absolve.warc_links_arrow(path)).to_pylist()
        expected = of_the_command(path)
        names = ["path", "entity", *FIELDS]
        assert [as_the_command(row) for row in found] == [{name: row[name] for name in names} for row in expected]


def test_columns_of_the_record(pyarrow):
    links = absolve.warc_links_arrow(record(url="http://h/d/"), name="a.warc")
    (row,) = pyarrow.table(links).to_pylist()
    assert list(row)[:6] == ["warc", "record_offset", "record_number", "record_id", "date", "page_url"]
    assert list(row.values())[:6] == ["a.warc", 0, 1, "<urn:x:http://h/d/>", "2026-01-02T03:04:05Z", "http://h/d/"]
    assert row["target"] == "http://h/d/x"
    assert (links.status, links.records, links.documents, links.links, links.problems) == ("ok", 1, 1, 1, 0)
    assert (links.damaged_at, links.problem) == (None, None)


def test_links_in_header_fields(pyarrow):
    head = b"Content-Type: text/html\r\nLink: <n>; rel=next\r\nRefresh: 5; url=r\r\n"
    redirect = record(url="http://h/d/", head=b"Location: ../e\r\n", body=b"").replace(b"200 OK", b"301 No")
    warc = record(url="http://h/d/", body=b"<base href=/b/><a href=x>", head=head) + redirect
    rows = pyarrow.table(absolve.warc_links_arrow(warc, element_text=True)).to_pylist()
    cells = [(row["element"], row["attribute"], row["target"], row["start"], row["text"]) for row in rows]
    assert cells == [
        ("base", "href", "http://h/b/", 11, None),
        ("a", "href", "http://h/b/x", 23, ""),
        ("#header", "link", "http://h/d/n", None, None),
        ("#header", "refresh", "http://h/d/r", None, None),
        ("#header", "location", "http://h/e", None, None),
    ]
    links = [link for entity in absolve.archive(warc) for link in entity.links()]
    assert [(link.element, link.attribute, link.target) for link in links] == [row[:3] for row in cells]


def test_parts_are_the_whole(pyarrow):
    for path in archives():
        whole = pyarrow.table(absolve.warc_links_arrow(path))
        offsets = [offset for offset, _ in absolve.WarcIndex(path)]
        every = absolve.warc_links_arrow(path, parts=[(offset, offset + 1) for offset in offsets])
        assert pyarrow.table(every).equals(whole)
        middle = offsets[len(offsets) // 2]
        halves = [absolve.warc_links_arrow(path, parts=[part]) for part in ((0, middle), (middle, None))]
        rows = [row for half in halves for row in pyarrow.table(half).to_pylist()]
        assert rows == whole.to_pylist()
    assert pyarrow.table(absolve.warc_links_arrow(record(), parts=[])).num_rows == 0


def test_parts_that_are_far_from_each_other_are_found(pyarrow):
    """Further than a file is read at once, and in a file that is not at its beginning."""
    long = [record(url=f"http://h/{number}/", body=b"<a href=x>" + b" " * 700_000) for number in range(6)]
    source = io.BytesIO(b"before" + b"".join(long))
    source.seek(6)
    offsets = [sum(map(len, long[:number])) for number in range(6)]
    parts = [(offsets[number], offsets[number] + 1) for number in (1, 3, 4)] + [(offsets[5], None)]
    rows = pyarrow.table(absolve.warc_links_arrow(source, parts=parts)).to_pylist()
    assert [row["target"] for row in rows] == [f"http://h/{number}/x" for number in (1, 3, 4, 5)]


def test_places_are_those_of_the_command(tmp_path):
    archive = tmp_path / "a.warc.gz"
    archive.write_bytes(gzip.compress(record()) + gzip.compress(record() + record()) + gzip.compress(b""))
    places = list(absolve.WarcIndex(archive))
    first, second = len(gzip.compress(record())), len(gzip.compress(record() + record()))
    assert places[:2] == [(0, first), (first, second)]
    run = subprocess.run([support.command(), "index", archive], capture_output=True, text=True)
    listed = [json.loads(line) for line in run.stdout.splitlines()]
    assert listed == [{"filename": str(archive), "offset": offset, "length": length} for offset, length in places]


def test_damage_ends_an_archive_and_raises_nothing(pyarrow):
    good = gzip.compress(record())
    for damaged, status, offset in [
        (good + good[: len(good) // 2], "truncated", len(good)),
        (good + b"no archive", "failed", len(good)),
        (record() + record()[:-100], "truncated", None),
        # Known at the end of the line.
        (b"<html>", "failed", 6),
    ]:
        links = absolve.warc_links_arrow(damaged, name="x")
        assert links.status is None
        rows = pyarrow.table(links).to_pylist()
        assert links.status == status
        assert offset is None or links.damaged_at == offset
        assert "byte" in links.problem
        assert len(rows) == links.links >= (0 if offset == 6 else 1)


def test_a_damaged_member_costs_its_own_record(pyarrow, tmp_path):
    """Also in a part of an archive, and in an index."""
    good = [gzip.compress(record(url=f"http://h/{number}", body=b"<a href=x>" * 20)) for number in range(6)]
    damaged = bytearray(good[2])
    damaged[-6] ^= 0x55
    members = [*good[:2], bytes(damaged), *good[3:]]
    path = tmp_path / "a.warc.gz"
    path.write_bytes(b"".join(members))
    offsets = [sum(map(len, members[:number])) for number in range(6)]
    problem = f"invalid compressed data at byte {offsets[2]}, {len(damaged)} bytes skipped"
    for parts, expected in [(None, [0, 1, 3, 4, 5]), ([(offsets[1], offsets[4]), (offsets[5], None)], [1, 3, 5])]:
        links = absolve.warc_links_arrow(path, parts=parts)
        rows = pyarrow.table(links).to_pylist()
        found = {offset for offset in (row["record_offset"] for row in rows) if offset != offsets[2]}
        assert sorted(found) == [offsets[number] for number in expected]
        assert (links.status, links.damaged_at, links.problems) == ("ok", None, 1)
        assert (links.problem, links.skipped) == (problem, len(damaged))
    # Nothing is sought after the only record that is asked for, or after the last one.
    for part, state in [((offsets[2], offsets[2] + 1), ("failed", 0)), ((offsets[1], offsets[3]), ("ok", len(damaged)))]:
        links = absolve.warc_links_arrow(path, parts=[part])
        assert pyarrow.table(links).num_rows > 0
        assert (links.status, links.skipped) == state
    output = io.BytesIO()
    report = absolve.rewrite_archive(path, output, in_records=True)
    assert [(each.offset, each.skipped, each.message) for each in report.problems] == [
        (offsets[2], len(damaged), "invalid compressed data")
    ]
    assert bytes(damaged) in output.getvalue() and report.records == 6
    index = absolve.WarcIndex(path)
    assert [offset for offset, _ in index] == offsets
    assert index.problem == problem
    for verb in ("links", "index"):
        run = subprocess.run([support.command(), verb, path], capture_output=True, text=True)
        assert problem in run.stderr and run.returncode == 2


def test_long_records_are_skipped_and_counted(pyarrow):
    archive = record(body=b"<a href=x>" * 1000) + record()
    links = absolve.warc_links_arrow(archive, record_limit=5000)
    assert [row["record_offset"] for row in pyarrow.table(links).to_pylist()] == [len(archive) - len(record())]
    assert (links.status, links.problems, links.problem) == ("ok", 1, "record too long at byte 0")
    # A document is read up to its limit.
    packed = record(body=gzip.compress(b"<a href=x>" * 1000), head=b"Content-Type: text/html\r\nContent-Encoding: gzip\r\n")
    links = absolve.warc_links_arrow(packed, document_limit=100)
    assert pyarrow.table(links).num_rows == 10
    assert (links.status, links.problem) == ("ok", "decoded body too long at byte 0")


def test_many_links_are_several_batches():
    page = record(body=b"<p><a href=x>The next chapter</a>" * 200_000)
    batches = list(absolve.warc_links_arrow(page + record()))
    assert sum(map(len, batches)) == 200_001
    assert max(map(len, batches)) <= 65_536
    # Rows of long URLs: a batch has 8 MiB of text.
    long = record(url="http://h/" + "d" * 7000 + "/", body=b"<a href=x>" * 2000)
    assert len(list(absolve.warc_links_arrow(long, limit={"growth": 20_000_000}))) > 4


class Failing(io.BytesIO):
    def read(self, size=-1):
        if self.tell() > 1 << 20:
            raise ConnectionError("lost")
        return super().read(size)


def test_an_error_of_the_file_is_raised_as_it_is():
    # Incompressible, so that the file is longer than a buffer.
    archive = b"".join(record(body=bytes(str(zlib.crc32(b"%d" % number)), "ascii") * 100) for number in range(4000))
    links = absolve.warc_links_arrow(Failing(archive))
    with pytest.raises(ConnectionError, match="lost"):
        list(links)
    with pytest.raises(FileNotFoundError):
        absolve.warc_links_arrow("no such file")

    class Pipe(io.BytesIO):
        def seek(self, *_):
            raise io.UnsupportedOperation("seek")

    archive = record() * 3000
    assert sum(map(len, absolve.warc_links_arrow(Pipe(archive)))) == 3000
    with pytest.raises(io.UnsupportedOperation):
        list(absolve.warc_links_arrow(Pipe(archive), parts=[(len(record()) * 2900, None)]))


def test_a_content_type_decides_about_a_page(pyarrow):
    pages = [
        (b"<a href=x>", "http://h/", "text/html"),
        (b"<a href=x>", "http://h/", "image/png"),
        (b"a { background: url(x) }", "http://h/", "text/css; charset=utf-8"),
        ("<a href=\u00e9>".encode("latin-1"), "http://h/", "text/html; charset=iso-8859-1"),
        (b"<a href=x>", "no url", "text/html"),
        (b"<a href=x>", None, None),
    ]
    rows = pyarrow.table(absolve.links_arrow(pages, profile="whatwg")).to_pylist()
    assert [(row["document"], row["target"]) for row in rows] == [
        (0, "http://h/x"),
        (2, "http://h/x"),
        (3, "http://h/%C3%A9"),
        (4, None),
        (5, None),
    ]
