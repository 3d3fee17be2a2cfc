"""Indexes of archives, and the division of archives into partitions, without a cluster."""

import gzip
import json
import subprocess
import sys
from array import array

import absolve
import pytest

import spark_cluster
import support
from test_warc_arrow import archives, record

pytestmark = pytest.mark.spark


@pytest.fixture(autouse=True)
def packages():
    if (problem := spark_cluster.missing()) and "Java" not in problem:
        support.missing(problem)


def reader(*paths, **options):
    """Returns the reader that Spark would get."""
    from absolve.spark import LinkSource

    options = {name: str(value) for name, value in options.items()}
    source = LinkSource({**options, "paths": json.dumps([str(path) for path in paths])})
    return source.reader(source.schema())


def rows(found, columns=("warc", "record_offset", "start", "target")):
    """Returns the links of all partitions of a reader."""
    batches = (batch for partition in found.partitions() for batch in found.read(partition))
    return [tuple(row[name] for name in columns) for batch in batches for row in batch.to_pylist()]


@pytest.fixture
def crawl(tmp_path):
    """Two archives of four records, of which two have links."""
    page = gzip.compress(record())
    other = gzip.compress(record(kind="request"))
    for name in ("a.warc.gz", "b.warc.gz"):
        (tmp_path / name).write_bytes(page + other + other + page)
    return tmp_path, [0, len(page), len(page + other), len(page + other + other)]


def test_warcio_finds_the_records_at_the_same_offsets():
    pytest.importorskip("warcio")
    compared = 0
    for path in archives():
        command = [sys.executable, "-m", "warcio.cli", "index", "-f", "offset,length", path]
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode != 0 or ".bad" in path.name:
            continue
        theirs = [(int(entry["offset"]), int(entry["length"])) for entry in map(json.loads, run.stdout.splitlines())]
        ours = list(absolve.WarcIndex(path))
        if len(ours) != len({offset for offset, _ in theirs}):
            # Damaged on purpose, or compressed as a whole.
            assert path.name in DIFFERENT, path.name
            continue
        assert [offset for offset, _ in ours] == [offset for offset, _ in theirs], path.name
        compared += 1
    assert compared > 15


DIFFERENT = ("warcio_example-bad-non-chunked.warc.gz", "warcio_example-wrong-chunks.warc.gz")


def indexes(crawl, offsets):
    """Returns indexes of the archive `a.warc.gz` in all formats; those of four bytes list the last record alone."""
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    place = {"url": "http://h/", "offset": str(offsets[3]), "length": "99", "filename": "a.warc.gz"}
    texts = {
        "cdxj": f"!meta x\nh)/ 20260102030405 {json.dumps(place)}\n",
        "cdx": f" CDX N b a m s k r M S V g\nh)/ 20260102030405 http://h/ text/html 200 X - - 99 {offsets[3]} a.warc.gz\n",
        "short.cdx": f" CDX N b a m s k r V g\nh)/ 20260102030405 http://h/ text/html 200 X - {offsets[3]} a.warc.gz\n",
    }
    for name, text in texts.items():
        (crawl / name).write_text(text)
    (crawl / "cdxj.gz").write_bytes(gzip.compress(texts["cdxj"].encode()))
    table = {"warc_filename": ["a.warc.gz"], "warc_record_offset": [offsets[3]], "warc_record_length": [99]}
    parquet.write_table(pyarrow.table(table), crawl / "columnar.parquet")
    return [*texts, "cdxj.gz", "columnar.parquet"]


def test_an_index_of_captures_selects_records(crawl):
    folder, offsets = crawl
    for name in indexes(folder, offsets):
        index = folder / name
        expected = [(str(folder / "a.warc.gz"), offsets[3], 8, "http://h/x")]
        assert rows(reader(folder, index=index)) == expected, name
        assert rows(reader(index=index, prefix=f"{folder}/")) == expected, name
    assert rows(reader(folder, index=f"{folder}/*cdx*")) == expected


def test_an_index_of_all_records_divides_archives(crawl):
    folder, offsets = crawl
    index = folder / "index.jsonl"
    places = [(path, place) for path in sorted(folder.glob("*.gz")) for place in absolve.WarcIndex(path)]
    lines = [json.dumps({"filename": path.name, "offset": place[0], "length": place[1]}) for path, place in places]
    index.write_text("\n".join(lines))
    whole = rows(reader(folder))
    assert len(whole) == 4
    found = reader(folder, index=index, partition_bytes=1)
    assert len(found.partitions()) == 8
    assert rows(found) == whole
    # What the index does not have is read as well: records at the end, damage, and whole archives.
    for some in (lines[:2], lines[1:3]):
        index.write_text("\n".join(some))
        assert rows(reader(folder, index=index, partition_bytes=1)) == whole
    with open(folder / "a.warc.gz", "ab") as file:
        file.write(b"damage")
    parts = reader(folder, index=index, partition_bytes=1, table="inputs")
    statuses = rows(parts, ("warc", "part", "parts", "status"))
    assert [(part, parts, status) for _, part, parts, status in statuses] == [(0, 2, "ok"), (1, 2, "failed"), (0, 1, "ok")]


def test_no_core_is_idle_while_there_are_archives(crawl):
    folder, _ = crawl
    index = folder / "index.jsonl"
    places = [(path, place) for path in sorted(folder.glob("*.gz")) for place in absolve.WarcIndex(path)]
    index.write_text("\n".join(json.dumps({"filename": p.name, "offset": o, "length": n}) for p, (o, n) in places))
    whole = rows(reader(folder))
    for options, cores, count in [({}, 1, 1), ({}, 2, 2), ({}, 9, 2), ({"index": index}, 4, 4), ({"partitions": 1}, 2, 1)]:
        found = reader(folder, **options)
        found.cores = cores
        assert len(found.partitions()) == count
        assert rows(found) == whole


def test_an_index_of_captures_beside_one_of_all_records_selects_records(crawl):
    folder, offsets = crawl
    indexes(folder, offsets)
    (folder / "index.jsonl").write_text(json.dumps({"filename": "a.warc.gz", "offset": offsets[1], "length": 9}))
    for names in (("index.jsonl", "cdxj"), ("cdxj", "index.jsonl")):
        found = rows(reader(folder, index=",".join(str(folder / name) for name in names)), ("warc", "record_offset"))
        assert found == [(str(folder / "a.warc.gz"), offsets[3])]


def test_a_line_that_is_none_of_an_index_is_named(crawl):
    folder, _ = crawl
    (folder / "bad").write_text('{"filename": "a.warc.gz", "offset": 0}\nnothing\n')
    with pytest.raises(ValueError, match="bad: line 2 is none of an index: 'nothing'"):
        reader(folder, index=folder / "bad").partitions()


def test_names_in_an_index_are_unambiguous(crawl):
    folder, offsets = crawl
    (folder / "d").mkdir()
    (folder / "d" / "a.warc.gz").write_bytes(b"")
    indexes(folder, offsets)
    with pytest.raises(ValueError, match="a.warc.gz may be"):
        reader(folder, folder / "d", index=folder / "cdxj").partitions()


def test_partitions_have_about_the_same_size():
    from absolve.spark import _plan

    units = [_plan.Unit(str(number), 10) for number in range(100)]
    for count in (1, 3, 7, 100, 1000):
        groups = _plan.partitions(units, count)
        assert [unit for group in groups for unit in group] == units
        assert len(groups) == min(count, 100)
        assert max(map(len, groups)) - min(map(len, groups)) <= 1
    # As many as there are cores, whatever the lengths.
    for sizes in ([90, 1, 1, 1], [1, 1, 1, 90], [0, 0, 0, 0], [1, 90, 1, 1, 1, 1]):
        units_of_lengths = [_plan.Unit(str(number), size) for number, size in enumerate(sizes)]
        assert len(_plan.partitions(units_of_lengths, 4)) == 4
    # A long unit is in the partition in which most of it would be.
    groups = _plan.partitions([_plan.Unit("x", size) for size in (1, 1, 9, 1)], 2)
    assert [[unit.size for unit in group] for group in groups] == [[1, 1], [9, 1]]
    assert _plan.partitions([_plan.Unit("x", 0)], 5) == [[_plan.Unit("x", 0)]]
    selected = _plan.Unit("x", 1, offsets=array("Q", [1 << 40, 7]).tobytes())
    assert selected.ranges() == [(1 << 40, (1 << 40) + 1), (7, 8)]


def test_equal_archives_are_divided_equally(tmp_path):
    for number in range(24):
        (tmp_path / f"{number}.warc.gz").write_bytes(gzip.compress(record(), mtime=0))
    size = (tmp_path / "0.warc.gz").stat().st_size
    for archives_of_partition, expected in ((0.5, 1), (1.4, 1), (2.5, 2), (3.9, 3), (4, 4)):
        found = reader(tmp_path, partition_bytes=int(archives_of_partition * size)).partitions()
        assert {len(partition.units) for partition in found} == {expected}, archives_of_partition


def test_paths_are_files_directories_patterns_and_urls(crawl):
    folder, _ = crawl
    (folder / "note.txt").write_text("")
    expected = rows(reader(folder))
    assert len(expected) == 4
    for path in (f"{folder}/*.warc.gz", folder.as_uri(), f"{folder.as_uri()}/*.warc.gz"):
        assert rows(reader(path)) == expected
    (folder / "list").write_text(f"{folder}/a.warc.gz\n\n{folder}/b.warc.gz\n")
    assert rows(reader(files_from=folder / "list")) == expected
    with pytest.raises(FileNotFoundError, match="none: no files"):
        reader(folder / "none").partitions()
    with pytest.raises(ValueError, match="pass paths to load"):
        reader().partitions()


def test_names_of_hadoop_and_of_options_are_understood(crawl):
    """Hadoop names other schemes for S3, and Spark ignores the case of options."""
    from absolve.spark import _files

    for scheme in ("s3", "s3a", "s3n"):
        found, path = _files.filesystem(f"{scheme}://bucket/a.warc?region=us-east-1")
        assert (found.type_name, path) == ("s3", "bucket/a.warc")
    folder, _ = crawl
    assert rows(reader(folder, Profile="whatwg", Partitions=1)) == rows(reader(folder))


def test_an_object_store_is_read_by_another_package(crawl):
    fsspec = pytest.importorskip("fsspec")
    folder, _ = crawl
    memory = fsspec.filesystem("memory")
    for path in folder.glob("*.gz"):
        memory.pipe_file(f"/crawl/{path.name}", path.read_bytes())
    found = rows(reader("memory://crawl/*.warc.gz"), ("record_offset", "start", "target"))
    assert found == rows(reader(folder), ("record_offset", "start", "target"))
