"""What several benchmarks need."""

import json
import pathlib
import subprocess
import uuid

HERE = pathlib.Path(__file__).resolve().parent


def build():
    """Builds the command in the profile `dist`, and returns the path of the executable."""
    subprocess.run(["cargo", "build", "--profile", "dist", "--quiet", "--bin", "absolve"], cwd=HERE.parent, check=True)
    command = ["cargo", "metadata", "--format-version", "1", "--no-deps"]
    metadata = json.loads(subprocess.run(command, cwd=HERE.parent, check=True, capture_output=True).stdout)
    return pathlib.Path(metadata["target_directory"], "dist", "absolve")


def record(number, url, page):
    """Returns a WARC record of `page`."""
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n" % len(page) + page
    head = f"""WARC/1.1
WARC-Type: response
WARC-Record-ID: <urn:uuid:{uuid.UUID(int=number)}>
WARC-Date: 2020-01-01T00:00:00Z
WARC-Target-URI: {url}
Content-Type: application/http; msgtype=response
Content-Length: {len(block)}

"""
    return head.replace("\n", "\r\n").encode() + block + b"\r\n\r\n"
