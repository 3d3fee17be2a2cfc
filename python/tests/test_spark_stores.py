"""Archives in an object store, which are read and written by a cluster of Spark: an S3 server on this machine."""

import gzip
import hashlib
import json
import os
import threading

import absolve
import pytest

import spark_cluster
import support
from spark_cluster import during, executors, kill, wait_for
from test_warc_arrow import record

pytestmark = pytest.mark.spark

BUCKET = "crawls"

ERROR = "<?xml version='1.0'?><Error><Code>{}</Code><Message>{}</Message></Error>"
THROTTLED = ("503 Slow Down", ERROR.format("SlowDown", "Please reduce your request rate."))
REFUSED = ("403 Forbidden", ERROR.format("AccessDenied", "Access Denied"))


class Store:
    """An S3 server, which answers some requests with an error."""

    def __init__(self):
        from moto.server import DomainDispatcherApplication, create_backend_app
        from werkzeug.serving import WSGIRequestHandler, make_server

        class Silent(WSGIRequestHandler):
            def log(self, *_):
                pass

        self.application = DomainDispatcherApplication(create_backend_app)
        self.requests = []
        self.answer = lambda method, path: None
        self.server = make_server("127.0.0.1", 0, self, threaded=True, request_handler=Silent)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __call__(self, environment, start):
        request = environment["REQUEST_METHOD"], environment["PATH_INFO"]
        self.requests.append(request)
        if error := self.answer(*request):
            status, body = error
            start(status, [("Content-Type", "application/xml"), ("Content-Length", str(len(body)))])
            return [body.encode()]
        return self.application(environment, start)

    @property
    def written(self):
        """The names of the objects that were written."""
        names = {path.rpartition("/")[2] for method, path in self.requests if method == "PUT"}
        return sorted(name for name in names if not name.endswith(".json"))

    def objects(self, folder):
        """Returns the digests of the objects in a folder, by name."""
        listed = self.client.list_objects_v2(Bucket=BUCKET, Prefix=f"{folder}/").get("Contents", [])
        found = {}
        for key in (entry["Key"] for entry in listed):
            body = self.client.get_object(Bucket=BUCKET, Key=key)["Body"].read()
            found[key.removeprefix(f"{folder}/")] = hashlib.sha256(body).hexdigest()
        return found


@pytest.fixture(scope="module")
def store():
    support.imported("moto")
    import boto3

    found = Store()
    environment = {
        "AWS_ENDPOINT_URL": found.url,
        "AWS_ACCESS_KEY_ID": "name",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true",
    }
    before = dict(os.environ)
    os.environ.update(environment)
    found.client = boto3.client("s3", endpoint_url=found.url)
    found.client.create_bucket(Bucket=BUCKET)
    yield found
    os.environ.clear()
    os.environ.update(before)
    found.server.shutdown()


@pytest.fixture(autouse=True)
def answers(store):
    """Every test begins with a store that works."""
    store.requests.clear()
    yield
    store.answer = lambda method, path: None


@pytest.fixture(scope="module")
def spark(store, tmp_path_factory):
    if problem := spark_cluster.missing():
        support.missing(problem)
    from pyspark import SparkContext

    # Java has the environment in which it was started.
    if gateway := SparkContext._gateway:
        gateway.shutdown()
        SparkContext._gateway = SparkContext._jvm = None
    session = spark_cluster.session(tmp_path_factory.mktemp("spark"))
    yield session
    session.stop()


@pytest.fixture(scope="module")
def crawl(store, tmp_path_factory):
    """Archives on this machine, and in the store."""
    folder = tmp_path_factory.mktemp("crawl")
    for number in range(8):
        body = b"<a href=x>" * 50 + b" " * 20_000
        pages = [record(url=f"http://h/{number}/{page}/", body=body) for page in range(20)]
        # The first one is long enough for an upload in parts.
        path = folder / (f"{number}.warc.gz" if number else "0.warc")
        path.write_bytes(b"".join(map(gzip.compress, pages)) if number else b"".join(pages) * 50)
        store.client.upload_file(str(path), BUCKET, f"crawl/{path.name}")
    return folder


@pytest.fixture(scope="module")
def rewritten(crawl, tmp_path_factory):
    """The digests of the archives that Python alone rewrites."""
    folder = tmp_path_factory.mktemp("expected")
    for path in crawl.iterdir():
        absolve.rewrite_archive(path, folder / path.name)
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}


def lines(store, output):
    """Returns the lines of the manifest."""
    listed = store.client.list_objects_v2(Bucket=BUCKET, Prefix=f"{output}/_manifest.jsonl/")["Contents"]
    bodies = [store.client.get_object(Bucket=BUCKET, Key=entry["Key"])["Body"].read() for entry in listed]
    return [json.loads(line) for body in bodies for line in body.splitlines()]


def check_outputs(store, output, rewritten):
    """Asserts that a folder has the rewritten archives and their manifest, and nothing else."""
    found = store.objects(output)
    assert {name: digest for name, digest in found.items() if "/" not in name} == rewritten
    assert {name for name in found if "/" in name} == {f"_manifest.jsonl/{name}.json" for name in rewritten}
    assert {line["output"]: line["sha256"] for line in lines(store, output)} == rewritten


def test_tables_are_those_of_files(spark, store, crawl):
    def rows(paths, **options):
        table = spark.read.format("absolve").options(**options).load(paths).toArrow().to_pylist()
        return sorted((row.pop("warc").rpartition("/")[2], str(row)) for row in table)

    names = ["1.warc.gz", "2.warc.gz"]
    expected = rows([str(crawl / name) for name in names])
    urls = [f"s3://{BUCKET}/crawl/{name}" for name in names]
    assert len(expected) > 1000
    assert rows(urls) == expected
    assert rows(f"s3a://{BUCKET}/crawl/[12].warc.gz") == expected
    store.client.put_object(Bucket=BUCKET, Key="paths.txt", Body="\n".join(urls))
    assert rows(None, files_from=f"s3://{BUCKET}/paths.txt") == expected
    index = spark_cluster.command("index", *(crawl / name for name in names))
    index = index.replace(str(crawl).encode(), f"s3://{BUCKET}/crawl".encode())
    store.client.put_object(Bucket=BUCKET, Key="index.jsonl", Body=index)
    assert rows(urls, index=f"s3://{BUCKET}/index.jsonl", partitions=6) == expected
    folder = spark.read.format("absolve").option("table", "inputs").load(f"s3://{BUCKET}/crawl/")
    inputs = absolve.spark.inputs(folder).collect()
    assert {(row.warc.rpartition("/")[2], row.status) for row in inputs} == {(path.name, "ok") for path in crawl.iterdir()}


def test_a_second_run_writes_what_is_missing(spark, store, crawl, rewritten):
    for name in ("1.warc.gz", "2.warc.gz"):
        store.client.upload_file(str(crawl / name), BUCKET, f"few/{name}")
    expected = {name: rewritten[name] for name in ("1.warc.gz", "2.warc.gz")}

    def rewrite(**options):
        store.requests.clear()
        return absolve.spark.rewrite(spark, f"s3://{BUCKET}/few/", f"s3://{BUCKET}/again/", **options)

    assert {row.output: row.sha256 for row in rewrite().collect()} == expected
    check_outputs(store, "again", expected)
    assert rewrite().count() == 2
    assert store.written == []
    store.client.delete_object(Bucket=BUCKET, Key="again/1.warc.gz")
    rewrite()
    assert store.written == ["1.warc.gz"]
    check_outputs(store, "again", expected)
    # Another input under the same name.
    store.client.upload_file(str(crawl / "3.warc.gz"), BUCKET, "few/2.warc.gz")
    rewrite()
    assert store.written == ["2.warc.gz"]
    expected["2.warc.gz"] = rewritten["3.warc.gz"]
    check_outputs(store, "again", expected)
    # Other options are other archives. A run that fails leaves no line about an archive that it may have replaced.
    store.answer = lambda method, path: REFUSED if (method, path) == ("PUT", f"/{BUCKET}/again/_manifest.jsonl/2.warc.gz.json") and (
        any(method == "PUT" and path.endswith("again/2.warc.gz") for method, path in store.requests)
    ) else None
    with pytest.raises(Exception, match="again/_manifest.jsonl/2.warc.gz.json.*ACCESS_DENIED"):
        rewrite(in_records=True)
    assert "2.warc.gz" not in {line["output"] for line in lines(store, "again")}
    store.answer = lambda method, path: None
    assert rewrite().count() == 2
    check_outputs(store, "again", expected)


def test_nothing_incomplete_is_listed_while_executors_are_killed(spark, store, crawl, rewritten):
    wait_for(lambda: len(executors(spark)) == 2)
    is_ended = threading.Event()
    killed = []
    # The store answers several requests at a time.
    once = threading.Lock()

    def kill_executors(method, path):
        """Kills all executors when the second part of an archive arrives."""
        parts = store.requests.count(("PUT", f"/{BUCKET}/killed/0.warc"))
        with once:
            if parts == 2 and not killed:
                killed.append(kill(executors(spark)))

    def look():
        """Looks at all archives again and again. Returns how many there were."""
        counts = set()
        while not is_ended.is_set():
            found = {name: digest for name, digest in store.objects("killed").items() if "/" not in name}
            assert found.items() <= rewritten.items()
            counts.add(len(found))
        return counts

    def rewrite():
        try:
            return absolve.spark.rewrite(spark, f"s3://{BUCKET}/crawl/", f"s3://{BUCKET}/killed").count()
        finally:
            is_ended.set()

    store.answer = kill_executors
    count, counts = during(rewrite, look)
    assert (count, sum(killed), len(counts) > 1) == (8, 2, True)
    check_outputs(store, "killed", rewritten)


def test_a_second_run_completes_one_that_failed(spark, store, crawl, rewritten):
    refused = f"/{BUCKET}/failed/7.warc.gz"
    store.answer = lambda method, path: REFUSED if path == refused and method != "GET" else None
    with pytest.raises(Exception, match="failed/7.warc.gz.*ACCESS_DENIED"):
        absolve.spark.rewrite(spark, f"s3://{BUCKET}/crawl/", f"s3://{BUCKET}/failed")
    complete = {line["output"] for line in lines(store, "failed")}
    assert complete == rewritten.keys() - {"7.warc.gz"}
    store.answer = lambda method, path: None
    store.requests.clear()
    assert absolve.spark.rewrite(spark, f"s3://{BUCKET}/crawl/", f"s3://{BUCKET}/failed").count() == 8
    assert store.written == ["7.warc.gz"]
    check_outputs(store, "failed", rewritten)


def test_a_store_that_throttles_is_asked_again(spark, store, crawl, rewritten):
    store.answer = lambda method, path: THROTTLED if len(store.requests) % 3 == 0 else None
    assert absolve.spark.rewrite(spark, f"s3://{BUCKET}/crawl/[1-4]*", f"s3://{BUCKET}/throttled").count() == 4
    store.answer = lambda method, path: None
    check_outputs(store, "throttled", {name: rewritten[name] for name in rewritten if name[0] in "1234"})


@pytest.mark.parametrize(
    "error, bucket, pattern",
    [
        (THROTTLED, BUCKET, f"in bucket '{BUCKET}': AWS Error (SLOW_DOWN|UNKNOWN .HTTP status 503)"),
        (REFUSED, BUCKET, f"in bucket '{BUCKET}': AWS Error ACCESS_DENIED"),
        (None, "nowhere", "nowhere"),
    ],
)
def test_errors_name_the_bucket_and_the_reason(spark, store, crawl, error, bucket, pattern):
    store.answer = lambda method, path: error
    for job in [
        lambda: absolve.spark.rewrite(spark, f"s3://{bucket}/crawl/", f"s3://{bucket}/out"),
        lambda: absolve.spark.rewrite(spark, str(crawl / "1.warc.gz"), f"s3://{bucket}/out"),
        lambda: spark.read.format("absolve").load(f"s3://{bucket}/crawl/1.warc.gz").count(),
    ]:
        with pytest.raises(Exception, match=pattern):
            job()


def test_stores_that_show_incomplete_objects_are_refused(spark, crawl):
    for output in ("https://h/out", "hdfs://h/out", "abfs://container@h/out"):
        with pytest.raises(ValueError, match="incomplete archives could appear there; use a path, s3://"):
            absolve.spark.rewrite(spark, str(crawl), output)
