"""A peer: wget --convert-links, over documents that it fetches from a server on the loopback interface.

The time is what wget reports for the conversion: elapsed time, without fetching. Arguments: number of rounds, folders.
"""

import functools
import http.server
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import urllib.parse

import documents


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass


def convert(folder, pages):
    """Returns the number of converted files and the seconds that wget reports, or None if it reports none."""
    handler = functools.partial(QuietHandler, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server, tempfile.TemporaryDirectory() as output:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        names = [url.removeprefix("https://www.example.org/docs/") for url, _ in pages]
        addresses = [f"http://127.0.0.1:{server.server_port}/{urllib.parse.quote(name)}" for name in names]
        listing = pathlib.Path(output, "addresses")
        listing.write_text("\n".join(addresses))
        command = ["wget", "--no-proxy", "-x", "--convert-links", "-i", listing.name]
        result = subprocess.run(command, cwd=output, capture_output=True, env={**os.environ, "LC_ALL": "C"})
        server.shutdown()
    message = re.search(rb"Converted links in (\d+) files in ([\d.]+) seconds", result.stderr)
    return (int(message[1]), float(message[2])) if message else None


def main():
    rounds, folders = int(sys.argv[1]), sys.argv[2:]
    version = subprocess.run(["wget", "--version"], capture_output=True, text=True).stdout.split()[2]
    peer = "wget --convert-links"
    for folder in folders:
        pages = documents.documents(folder)
        results = [convert(folder, pages) for _ in range(rounds)]
        if None in results:
            print(f"{peer}, {pathlib.Path(folder).name}: not measured: wget reports no conversion time")
            continue
        # wget reports milliseconds, some versions hundredths of a second. The result may be 0.
        seconds = [max(time, 0.001) for _, time in results]
        work = f"{results[0][0]} of {len(pages)} files converted"
        documents.report(peer, version, folder, pages, seconds, work, clock="wall")


main()
