"""A peer: wget --convert-links, over documents it fetches from a server on the loopback. What it says that converting took is
counted, not what fetching took. Arguments: how many rounds, and folders."""

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


class Quiet(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass


def convert(folder, pages):
    handler = functools.partial(Quiet, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server, tempfile.TemporaryDirectory() as there:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        names = [url.removeprefix("https://www.example.org/docs/") for url, _ in pages]
        addresses = [f"http://127.0.0.1:{server.server_port}/{urllib.parse.quote(name)}" for name in names]
        listing = pathlib.Path(there, "addresses")
        listing.write_text("\n".join(addresses))
        command = ["wget", "--no-proxy", "-x", "--convert-links", "-i", listing.name]
        result = subprocess.run(command, cwd=there, capture_output=True, env={**os.environ, "LC_ALL": "C"})
        server.shutdown()
    said = re.search(rb"Converted links in (\d+) files in ([\d.]+) seconds", result.stderr)
    return (int(said[1]), float(said[2])) if said else None


def main():
    rounds, folders = int(sys.argv[1]), sys.argv[2:]
    said = subprocess.run(["wget", "--version"], capture_output=True, text=True).stdout.split()
    peer = f"wget {said[2]} --convert-links"
    for folder in folders:
        pages = documents.documents(folder)
        size = sum(len(source) for _, source in pages)
        results = [convert(folder, pages) for _ in range(rounds)]
        if None in results:
            print(f"{peer}, {pathlib.Path(folder).name}: not measured: it does not say what it converted")
            continue
        # It says it to a millisecond, or to ten.
        seconds = [max(took, 0.001) for _, took in results]
        documents.tell(peer, folder, size, seconds, f"{results[0][0]} of {len(pages)} files converted")


main()
