"""The data source and the rewriting of archives on a cluster of Spark, also while its processes are killed.

``ABSOLVE_SPARK_KILLS`` is the number of times that each kind of process is killed; by default once.
"""

import contextlib
import gzip
import hashlib
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import absolve
import pytest

import spark_cluster
import support
from spark_cluster import children, completed_tasks, during, executors, kill, python_workers, wait_for
from test_warc_arrow import FIELDS, archives, as_the_command, of_the_command, record

pytestmark = pytest.mark.spark

KILLS = int(os.environ.get("ABSOLVE_SPARK_KILLS", "1"))

# Addresses are limited to this by `spark.executor.pyspark.memory`, for Python and its libraries.
MEMORY = "512m"

# Columns of the table `inputs` that do not depend on how an archive is divided.
STATES = ("status", "damaged_at", "problem", "records", "documents", "links")

# Number of copies of an archive in one of those that are read while processes are killed.
COPIES = 5

# The optimizing compiler of Java takes longer than it saves.
JAVA = "-XX:TieredStopAtLevel=1"


@pytest.fixture(scope="module")
def spark(tmp_path_factory):
    if problem := spark_cluster.missing():
        support.missing(problem)
    settings = {
        "spark.executor.pyspark.memory": MEMORY,
        "spark.executor.memory": "512m",
        "spark.driver.extraJavaOptions": JAVA,
        "spark.executor.extraJavaOptions": JAVA,
    }
    session = spark_cluster.session(tmp_path_factory.mktemp("spark"), **settings)
    yield session
    session.stop()


@pytest.fixture(scope="module")
def expected():
    """The links of the corpora that the command finds."""
    return sorted((row for path in archives() for row in selected(of_the_command(path))), key=order)


@pytest.fixture(scope="module")
def expected_inputs():
    """The counts and the state of each archive of the corpora, by its name, as one process alone finds them."""
    found = {}
    for path in archives():
        alone = absolve.warc_links_arrow(path)
        list(alone)
        found[path.name] = {name: getattr(alone, name) for name in STATES}
    return found


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    """An index of the corpora."""
    path = tmp_path_factory.mktemp("index") / "index.jsonl"
    path.write_bytes(spark_cluster.command("index", *archives()))
    return str(path)


@pytest.fixture(scope="module")
def crawl(tmp_path_factory):
    """Twelve archives, each with some copies of one of the corpora: enough that a task can be killed before it ends."""
    folder = tmp_path_factory.mktemp("crawl")
    (source,) = (path for path in archives() if path.name == "pywb_iana.warc.gz")
    for number in range(12):
        (folder / f"{number:02}.warc.gz").write_bytes(source.read_bytes() * COPIES)
    return folder


def selected(rows):
    return [{name: row[name] for name in ("path", "entity", *FIELDS)} for row in rows]


def order(row):
    return [(value is not None, value) for value in (row["path"], row["entity"], row["start"], *map(str, row.values()))]


def corpus():
    return [str(path) for path in archives()]


def links(spark, paths, **options):
    return spark.read.format("absolve").options(**options).load(paths)


def rows(table):
    """Returns the rows of a table of links with the names of the command."""
    return sorted(map(as_the_command, table.toArrow().to_pylist()), key=order)


def inputs(spark, paths, **options):
    """Returns the table of inputs by the name of the archive."""
    table = absolve.spark.inputs(links(spark, paths, table="inputs", **options)).collect()
    by_name = {pathlib.Path(row.warc).name: row for row in table}
    assert len(by_name) == len(table)
    return by_name


@pytest.mark.parametrize("is_indexed", [False, True], ids=["whole", "index"])
@pytest.mark.parametrize("partitions", [1, 7, 200])
def test_the_table_is_that_of_the_command(spark, expected, expected_inputs, index, partitions, is_indexed):
    options = {"partitions": partitions, **({"index": index} if is_indexed else {})}
    table = links(spark, corpus(), **options)
    count = table.rdd.getNumPartitions()
    assert count == 1 if partitions == 1 else 1 < count <= partitions
    # Without an index, an archive is not divided.
    assert partitions < 200 or (count > 26) == is_indexed
    assert rows(table) == expected
    found = inputs(spark, corpus(), **options)
    assert {archive: {name: row[name] for name in STATES} for archive, row in found.items()} == expected_inputs


def test_both_tables_are_written_in_one_pass(spark, expected, tmp_path):
    output = str(tmp_path / "tables")
    absolve.spark.write_tables(spark, corpus(), output, partitions=7)
    assert rows(spark.read.parquet(f"{output}/table=links")) == expected
    assert absolve.spark.inputs(spark.read.parquet(f"{output}/table=inputs")).count() == len(archives())


def test_columns_and_options(spark):
    path = str(archives()[0])
    assert links(spark, path, columns="target, warc").columns == ["target", "warc"]
    assert str(links(spark, path).schema) == str(spark.createDataFrame([], absolve.spark.LINKS_SCHEMA).schema)
    for options, problem in [
        ({"profil": "whatwg"}, "profil: unknown option"),
        ({"profile": "html"}, "profile: "),
        ({"columns": "warc,href"}, "columns: no column 'href'"),
        ({"table": "x"}, "table: no table 'x'"),
        ({"mode": "dropmalformed"}, "mode: unknown"),
        ({"to": "relative"}, "to: an option for rewriting"),
    ]:
        with pytest.raises(Exception, match=problem):
            links(spark, path, **options).count()


def test_texts_of_elements_are_columns_on_request(spark, tmp_path):
    body = b"<a href=x rel=nofollow>The <b>text</b></a><img src=y alt=An>"
    (tmp_path / "a.warc").write_bytes(record(body=body))
    path = str(tmp_path)
    default = links(spark, path).columns
    assert not {"text", "rel", "alt"} & set(default)
    table = links(spark, path, columns="*, text, warc, rel, alt")
    assert table.columns == [*default, "text", "rel", "alt"]
    found = [(row.text, row.rel, row.alt) for row in table.collect()]
    assert found == [("The text", "nofollow", None), (None, None, "An")]
    assert rows(table.select(*default)) == rows(links(spark, path))
    graph = absolve.spark.webgraph(table).collect()
    assert [row.asDict() for row in graph] == [
        {"crawl_date": graph[0].crawl_date, "src": "http://h/", "dest": "http://h/x", "anchor": "The text"}
    ]
    both = links(spark, path, table="all", columns="table,target,alt,status").collect()
    assert [(row.table, row.alt) for row in both] == [("links", None), ("links", "An"), ("inputs", None)]
    with pytest.raises(Exception, match="columns: no column 'text'"):
        links(spark, path, table="inputs", columns="warc,text").count()


def test_rewriting_options_and_the_profile_have_an_effect(spark, tmp_path):
    (tmp_path / "a.warc").write_bytes(record(body=b"<a href='a b'><img data-src=c>"))
    table = links(spark, str(tmp_path), profile="whatwg", preset="lazy")
    assert [row.target for row in table.collect()] == ["http://h/a%20b", "http://h/c"]


def test_a_missing_archive_fails_the_job_and_a_damaged_one_only_if_that_is_asked_for(spark, tmp_path):
    damaged = tmp_path / "damaged.warc.gz"
    damaged.write_bytes(gzip.compress(record())[:-20])
    assert inputs(spark, str(damaged))["damaged.warc.gz"].status == "truncated"
    with pytest.raises(Exception, match=r"unexpected end of input at byte 0 \(mode failfast\)"):
        links(spark, str(damaged), mode="failfast").count()
    (tmp_path / "paths").write_text(f"{damaged}\n{tmp_path}/gone.warc.gz\n")
    with pytest.raises(Exception, match="gone.warc.gz"):
        spark.read.format("absolve").option("files_from", str(tmp_path / "paths")).load().count()


def test_links_of_pages(spark):
    pages = [
        ("http://h/d/", b"<a href=x>x</a><base href=/e/>", "text/html; charset=utf-8", 7),
        ("http://h/", b"<a href=x>", "image/png", 8),
        ("http://h/", None, None, 9),
    ]
    table = spark.createDataFrame(pages, "url string, content binary, content_type string, crawl int")
    found = absolve.spark.links_of_pages(table, profile="whatwg").collect()
    assert [(row.url, row.crawl, row.element, row.target) for row in found] == [
        ("http://h/d/", 7, "a", "http://h/e/x"),
        ("http://h/d/", 7, "base", "http://h/e/"),
    ]
    texts = absolve.spark.links_of_pages(table, element_text=True, profile="whatwg").collect()
    assert [(row.text, row.rel, row.alt) for row in texts] == [("x", None, None), (None, None, None)]
    with pytest.raises(ValueError, match="columns that links have: text"):
        absolve.spark.links_of_pages(table.withColumnRenamed("crawl", "text"), element_text=True)
    with pytest.raises(ValueError, match="no columns url and content"):
        absolve.spark.links_of_pages(table.drop("url"))


def test_the_web_graph_has_other_names(spark):
    table = absolve.spark.webgraph(links(spark, corpus()))
    assert table.columns == ["crawl_date", "src", "dest"]
    assert ("20140127", "http://example.com", "http://www.iana.org/domains/example") in [tuple(row) for row in table.collect()]


def test_partitions_are_at_least_as_many_as_cores(spark):
    assert links(spark, corpus()[:2]).rdd.getNumPartitions() == spark.sparkContext.defaultParallelism == 2


def write_damaged(folder):
    """Writes archives that break programs, and returns what is expected of each: status, and least number of links."""
    good = gzip.compress(record())
    (folder / "truncated.warc.gz").write_bytes(good * 3 + good[:-30])
    (folder / "garbage.warc.gz").write_bytes(good + b"\0" * 1000)
    (folder / "empty.warc").write_bytes(b"")
    (folder / "page.warc").write_bytes(b"<html><a href=x>")
    # 2 GiB that the file system does not store.
    with open(folder / "long.warc", "wb") as file:
        file.write(b"WARC/1.1\r\nWARC-Type: response\r\nContent-Length: %d\r\n\r\n" % (2 << 30))
        file.seek(2 << 30, os.SEEK_CUR)
        file.write(b"\r\n\r\n" + record())
    # 100 MiB as the body of a response, and 1 GiB as a record.
    head = b"Content-Type: text/html\r\nContent-Encoding: gzip\r\n"
    (folder / "bomb.warc").write_bytes(record(head=head, body=gzip.compress(bytes(100 << 20))) + record())
    with gzip.open(folder / "bomb.warc.gz", "wb", compresslevel=1) as file:
        file.write(b"WARC/1.1\r\nWARC-Type: response\r\nContent-Length: %d\r\n\r\n" % (1 << 30))
        for _ in range(1024):
            file.write(b"\0" * (1 << 20))
        file.write(b"\r\n\r\n")
    with open(folder / "bomb.warc.gz", "ab") as file:
        file.write(good)
    (folder / "tiny.warc.gz").write_bytes(good * 100_000)
    return {
        "truncated.warc.gz": ("truncated", 3),
        "garbage.warc.gz": ("failed", 1),
        "empty.warc": ("ok", 0),
        "page.warc": ("failed", 0),
        "long.warc": ("ok", 1),
        "bomb.warc": ("ok", 1),
        "bomb.warc.gz": ("ok", 1),
        "tiny.warc.gz": ("ok", 100_000),
    }


def test_damaged_archives_and_bombs_in_little_memory(spark, tmp_path):
    assert spark.conf.get("spark.executor.pyspark.memory") == MEMORY
    expected = write_damaged(tmp_path)
    paths = [str(tmp_path / name) for name in expected]
    output = str(tmp_path / "tables")
    absolve.spark.write_tables(spark, paths, output)
    table = absolve.spark.inputs(spark.read.parquet(f"{output}/table=inputs")).collect()
    found = {pathlib.Path(row.warc).name: row for row in table}
    assert len(found) == len(table)
    table = spark.read.parquet(f"{output}/table=links").groupBy("warc").count()
    counts = {row.warc: row["count"] for row in table.collect()}
    for name, (status, least) in expected.items():
        row = found[name]
        assert (row.status, row.links >= least) == (status, True), row
        assert counts.get(str(tmp_path / name), 0) == row.links
        assert (row.damaged_at is None) == (status == "ok")
    assert found["truncated.warc.gz"].damaged_at == 3 * len(gzip.compress(record()))
    assert "record too long" in found["long.warc"].problem
    assert "too many decoded bytes" in found["bomb.warc"].problem and "record too long" in found["bomb.warc.gz"].problem
    assert found["tiny.warc.gz"].records == 100_000


def test_a_page_of_links_alone_needs_a_limit_in_little_memory(spark, tmp_path):
    """Each link takes some hundred bytes, until its page is read: many times the length of this page."""
    body = gzip.compress(b"<a href=x>some text, and a link." * 3_500_000)
    page = record(head=b"Content-Type: text/html\r\nContent-Encoding: gzip\r\n", body=body)
    (tmp_path / "links.warc").write_bytes(page + record())
    found = inputs(spark, str(tmp_path / "links.warc"), document_limit=1 << 20)["links.warc"]
    assert (found.status, found.links, found.documents) == ("ok", (1 << 20) // 32 + 1, 2)
    assert found.problem == "decoded body too long at byte 0"


def digest(table):
    """Returns the number of rows, and of different links, and the sum of hashes of whole rows, by archive."""
    from pyspark.sql import functions

    columns = [column for column in table.columns if column != "warc"]
    place = functions.struct("record_offset", "record_number", "start", "element", "attribute", "reference")
    found = table.groupBy("warc").agg(
        functions.count("*"),
        functions.countDistinct(place),
        functions.sum(functions.xxhash64(*columns).cast("decimal(38,0)")),
    )
    return sorted(map(tuple, found.collect()))


@pytest.fixture(scope="module")
def undisturbed(spark, crawl):
    """The digest of the links of the crawl; all archives have the same ones."""
    found = digest(links(spark, str(crawl)))
    (source,) = (path for path in archives() if path.name == "pywb_iana.warc.gz")
    count = COPIES * len(of_the_command(source))
    assert [row[1] for row in found] == [count] * 12
    assert len({row[2:] for row in found}) == 1
    return found


def kill_mid_run(spark):
    """Kills an executor while tasks run and others have ended."""
    wait_for(lambda: all(completed_tasks(spark)) and len(executors(spark)) == 2)
    return kill(executors(spark)[:1])


def kill_python(spark):
    """Kills the Python of an executor while tasks run and others have ended."""
    wait_for(lambda: all(completed_tasks(spark)) and python_workers(spark))
    return kill(python_workers(spark))


def kill_after_commit(output):
    """Returns an action that kills all executors as soon as one has committed a task."""

    def action(spark):
        known = executors(spark)
        wait_for(lambda: next(pathlib.Path(f"{output}.absolve-new", "_temporary", "0").glob("task_*"), None))
        return kill(known)

    return action


def kill_after_archive(output):
    """Returns an action that kills all executors as soon as an archive is complete."""

    def action(spark):
        known = executors(spark)
        wait_for(lambda: next(pathlib.Path(output).glob("_absolve/*/*/archive.json"), None))
        return kill(known)

    return action


@pytest.mark.parametrize("run", range(KILLS))
@pytest.mark.parametrize("victim", ["executor", "after-commit", "python"])
def test_tables_are_complete_after_a_kill(spark, crawl, undisturbed, tmp_path, victim, run):
    output = str(tmp_path / "tables")
    action = {"executor": kill_mid_run, "after-commit": kill_after_commit(output), "python": kill_python}[victim]
    wait_for(lambda: len(executors(spark)) == 2)
    write = lambda: absolve.spark.write_tables(spark, str(crawl), output, partitions=12)  # noqa: E731
    _, killed = during(write, lambda: action(spark))
    assert killed > 0
    found = spark.read.parquet(f"{output}/table=links").drop(*set(absolve.spark._schema.INPUTS) - set(absolve.spark._schema.LINKS))
    assert digest(found) == undisturbed
    table = spark.read.parquet(f"{output}/table=inputs").collect()
    assert sorted(row.warc for row in table) == sorted(str(path) for path in crawl.iterdir())
    assert {(row.status, row.links) for row in table} == {("ok", undisturbed[0][1])}
    assert sorted(os.listdir(output)) == ["._SUCCESS.crc", "_SUCCESS", "table=inputs", "table=links"]


def test_failed_tables_leave_those_that_were_there(spark, tmp_path):
    """Whatever ends a run, the tables of the last one that was complete are there."""
    output = tmp_path / "tables"
    good, bad = tmp_path / "good.warc", tmp_path / "bad.warc.gz"
    good.write_bytes(record())
    bad.write_bytes(gzip.compress(record())[:-20])
    absolve.spark.write_tables(spark, str(good), str(output))

    def state():
        return {path.relative_to(output): path.read_bytes() for path in sorted(output.rglob("*")) if path.is_file()}

    before = state()
    assert len(before) > 2
    missing = str(tmp_path / "missing.warc")
    for paths, options in [
        ([str(good), str(bad)], {"mode": "failfast"}),
        ([missing], {"mode": "failfast"}),
        ([missing], {}),
        ([str(good)], {"profile": "html"}),
        ([str(good)], {"columns": "none"}),
    ]:
        try:
            absolve.spark.write_tables(spark, paths, str(output), **options)
        except Exception:
            assert state() == before, options
        else:
            # Without `failfast`, an archive that cannot be read is a row of the inputs.
            assert options == {}
            absolve.spark.write_tables(spark, str(good), str(output))
            before = state()
    # A run that was killed between its two renames.
    new, old = tmp_path / "tables.absolve-new", tmp_path / "tables.absolve-old"
    for is_complete in (False, True):
        output.rename(old)
        (new / "table=links").mkdir(parents=True)
        if is_complete:
            (new / "_SUCCESS").touch()
        with pytest.raises(Exception, match="failfast"):
            absolve.spark.write_tables(spark, str(bad), str(output), mode="failfast")
        assert not old.exists()
        assert (state() == before) != is_complete
    absolve.spark.write_tables(spark, str(good), str(output))
    assert spark.read.parquet(f"{output}/table=links").count() > 0
    assert sorted(path.name for path in tmp_path.iterdir() if "absolve" in path.name) == []


def outputs(folder):
    """Returns the digests of the files in a folder, which must be nothing else."""
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.iterdir())}


@pytest.fixture(scope="module")
def rewritten(crawl, tmp_path_factory):
    """The digests of the archives that Python alone rewrites."""
    folder = tmp_path_factory.mktemp("expected")
    first, *others = sorted(crawl.iterdir())
    absolve.rewrite_archive(first, folder / first.name)
    (found,) = outputs(folder).values()
    return {path.name: found for path in (first, *others)}


def check_outputs(folder, rewritten, options=None):
    """Asserts that a folder has the rewritten archives and the manifest, and nothing else."""
    found = outputs(folder)
    manifest = [json.loads(line) for line in (folder / "_manifest.jsonl").read_text().splitlines()]
    assert {line["output"]: line["sha256"] for line in manifest} == rewritten
    assert len(manifest) == len(rewritten)
    del found["_manifest.jsonl"]
    assert found == rewritten


def warcio_accepts(path):
    """Returns whether `warcio check` finds nothing wrong with an archive."""
    try:
        from warcio.cli import main
    except ImportError:
        support.missing("warcio")
    try:
        main(["check", str(path)])
    except SystemExit as status:
        return status.code == 0
    except Exception:
        # An archive that breaks the program.
        return False
    raise AssertionError("warcio check tells nothing")


@pytest.mark.parametrize("run", range(KILLS))
@pytest.mark.parametrize("victim", ["executor", "after-commit", "python"])
def test_archives_are_complete_after_a_kill(spark, crawl, rewritten, tmp_path, victim, run):
    action = {"executor": kill_mid_run, "after-commit": kill_after_archive(tmp_path), "python": kill_python}[victim]
    wait_for(lambda: len(executors(spark)) == 2)
    rewrite = lambda: absolve.spark.rewrite(spark, str(crawl), str(tmp_path)).count()  # noqa: E731
    count, killed = during(rewrite, lambda: action(spark))
    assert (count, killed > 0) == (12, True)
    check_outputs(tmp_path, rewritten)


def test_rewritten_archives_are_those_of_the_command(spark, tmp_path):
    output = tmp_path / "out"
    manifest = absolve.spark.rewrite(spark, corpus(), str(output))
    assert manifest.count() == len(archives())
    for path in archives():
        expected = tmp_path / path.name
        command = [support.command(), "rewrite", "-q", "--input-format", "warc", path, "-o", expected]
        subprocess.run(command, capture_output=True)
        written = (output / path.name).read_bytes()
        assert written == (expected if expected.exists() else path).read_bytes(), path.name
    # Other programs find nothing wrong that was right before.
    for path in archives():
        if warcio_accepts(path):
            assert warcio_accepts(output / path.name), path.name


def test_a_second_run_writes_what_is_missing(spark, tmp_path):
    crawl, output = tmp_path / "crawl", tmp_path / "out"
    crawl.mkdir()
    for name in ("a.warc", "b.warc"):
        (crawl / name).write_bytes(record())
    absolve.spark.rewrite(spark, str(crawl), str(output))
    before = (output / "a.warc").stat().st_mtime_ns
    (output / "b.warc").unlink()
    (crawl / "c.warc").write_bytes(record())
    (output / "_absolve" / "run" / "attempt").mkdir(parents=True)
    assert absolve.spark.rewrite(spark, str(crawl), str(output)).count() == 3
    assert (output / "a.warc").stat().st_mtime_ns == before
    assert sorted(outputs_names(output)) == ["_manifest.jsonl", "a.warc", "b.warc", "c.warc"]
    # Another input under the same name: of another length, or of another time.
    changed = (crawl / "b.warc").stat().st_mtime_ns
    for later, page in enumerate((b"<a href=other>", b"<a href=later>")):
        (crawl / "b.warc").write_bytes(record(body=page))
        os.utime(crawl / "b.warc", ns=(changed, changed + later))
        absolve.spark.rewrite(spark, str(crawl), str(output))
        assert b"http://h/" + page[8:-1] in (output / "b.warc").read_bytes()
        assert (output / "a.warc").stat().st_mtime_ns == before
    # An output of another length.
    (output / "b.warc").write_bytes(b"short")
    absolve.spark.rewrite(spark, str(crawl), str(output))
    assert b"http://h/later" in (output / "b.warc").read_bytes()
    # Other options are other archives.
    absolve.spark.rewrite(spark, str(crawl), str(output), in_records=True)
    assert b"conversion" not in (output / "a.warc").read_bytes()
    assert b"href=http://h/x" in (output / "a.warc").read_bytes()


def outputs_names(folder):
    return [path.name for path in folder.iterdir()]


DRIVER = """
import sys, pathlib
sys.path.insert(0, sys.argv[1])
import spark_cluster, absolve.spark
job, crawl, output, work, java = sys.argv[2:]
spark = spark_cluster.session(
    pathlib.Path(work), **{"spark.driver.extraJavaOptions": java, "spark.executor.extraJavaOptions": java}
)
print("ready", flush=True)
if job == "tables":
    absolve.spark.write_tables(spark, crawl, output, partitions=12)
else:
    absolve.spark.rewrite(spark, crawl, output)
print("done", flush=True)
"""


@pytest.mark.parametrize("run", range(KILLS))
@pytest.mark.parametrize("job", ["tables", "archives"])
def test_a_second_run_completes_that_of_a_driver_that_was_killed(
    spark, crawl, undisturbed, rewritten, tmp_path, job, run
):
    output = tmp_path / "out"
    arguments = [str(pathlib.Path(__file__).parent), job, str(crawl), str(output), str(tmp_path), JAVA]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    driver = subprocess.Popen([sys.executable, "-c", DRIVER, *arguments], **streams)
    try:
        assert driver.stdout.readline() == "ready\n"
        pattern = "out.absolve-new/_temporary/0/task_*" if job == "tables" else "out/_absolve/*/*/archive.json"
        wait_for(lambda: next(tmp_path.glob(pattern), None), seconds=120)
    finally:
        # The Java of the driver first, or it would clean up.
        kill(children(driver.pid))
        driver.kill()
        driver.wait()
    assert not (output / "_SUCCESS").exists() and not (output / "_manifest.jsonl").exists()
    if job == "archives":
        assert absolve.spark.rewrite(spark, str(crawl), str(output)).count() == 12
        check_outputs(output, rewritten)
        return
    absolve.spark.write_tables(spark, str(crawl), str(output), partitions=12)
    found = spark.read.parquet(f"{output}/table=links")
    assert digest(found.select(list(absolve.spark._schema.LINKS))) == undisturbed
    assert spark.read.parquet(f"{output}/table=inputs").count() == 12
    assert sorted(os.listdir(output)) == ["._SUCCESS.crc", "_SUCCESS", "table=inputs", "table=links"]


def test_outputs_pass_the_check_of_warcio(crawl, tmp_path):
    """The archives of the tests above are these, byte for byte."""
    first = sorted(crawl.iterdir())[0]
    absolve.rewrite_archive(first, tmp_path / first.name)
    assert warcio_accepts(first)
    assert warcio_accepts(tmp_path / first.name)


def test_the_example_counts_links_between_hosts(spark):
    sys.path.insert(0, str(support.ROOT / "python" / "examples"))
    try:
        import host_graph
    finally:
        del sys.path[0]
    columns = "date,page_url,element,attribute,target"
    table = host_graph.host_graph(links(spark, corpus(), profile="whatwg", columns=columns))
    counts = {(row.source, row.destination): row["count"] for row in table.collect()}
    assert counts["example.com", "www.iana.org"] > 5
    assert all(source != destination for source, destination in counts)


def examples():
    """Returns the Python blocks of the guide, without those about programs other than Spark."""
    guide = (support.ROOT / "docs" / "spark.md").read_text()
    blocks = [block.partition("```")[0] for block in guide.split("```python\n")[1:]]
    return [block for block in blocks if not re.search(r"^(ray|dask|found)\b", block, re.MULTILINE)]


def test_every_example_of_the_guide_has_a_result(spark, tmp_path):
    crawl = tmp_path / "crawl"
    crawl.mkdir()
    (source,) = (path for path in archives() if path.name == "pywb_iana.warc.gz")
    shutil.copy(source, crawl / "a.warc.gz")
    index = spark_cluster.command("index", crawl / "a.warc.gz")
    (tmp_path / "paths.txt").write_text(f"{crawl}/a.warc.gz\n")
    (tmp_path / "index.jsonl").write_bytes(index)
    captures = [
        ("a.warc.gz", entry["offset"], entry["length"], "is") for entry in map(json.loads, index.splitlines())
    ]
    columns = ["warc_filename", "warc_record_offset", "warc_record_length", "url_host_tld"]
    spark.createDataFrame(captures, columns).write.parquet(str(tmp_path / "cc-index"))
    page = {"url": "http://h/a/", "content": b"<a href=x>", "content_type": "text/html", "crawl": "1"}
    spark.createDataFrame([page]).write.parquet(str(tmp_path / "pages"))
    # What the guide names, and what is here.
    names = {
        '"crawl/': f'"{crawl}/',
        "s3://bucket/warc.paths.txt": f"{tmp_path}/paths.txt",
        '"index.jsonl"': f'"{tmp_path}/index.jsonl"',
        'json("index")': f'json("{tmp_path}/index")',
        '"index/': f'"{tmp_path}/index/',
        '"tables': f'"{tmp_path}/tables',
        "s3://commoncrawl/cc-index/...": f"{tmp_path}/cc-index",
        '"captures': f'"{tmp_path}/captures',
        "s3://commoncrawl/": f"{crawl}/",
        '"pages"': f'"{tmp_path}/pages"',
        "/shared/absolute": f"{tmp_path}/absolute",
        "status <> 'ok' or problems > 0": "status = 'ok'",
        "size(problems) > 0": "size(problems) = 0",
    }
    variables = {"spark": spark, "absolve": absolve}
    left = set(names)
    for example in examples():
        for name, here in names.items():
            if name in example:
                left.discard(name)
                example = example.replace(name, here)
        printed = io.StringIO()
        before = dict(variables)
        with contextlib.redirect_stdout(printed):
            exec(example, variables)  # noqa: S102
        if ".show()" in example:
            assert len(printed.getvalue().splitlines()) > 4, example
        new = [name for name, value in variables.items() if before.get(name) is not value]
        tables = [variables[name] for name in new if hasattr(variables[name], "count")]
        assert all(table.count() > 0 for table in tables), example
        assert tables or ".show()" in example or "write_tables" in example, example
    assert not left
