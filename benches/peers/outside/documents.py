"""Reads the documents of a folder, and reports the results over them."""

import datetime
import json
import os
import pathlib
import platform
import statistics
import sys
import time


def documents(folder):
    """Returns the assumed URLs and the contents of the HTML documents in a folder and its subfolders."""
    folder = pathlib.Path(folder)
    paths = sorted(p for p in folder.rglob("*") if p.suffix.lower() in (".html", ".htm", ".xhtml") and p.is_file())
    return [("https://www.example.org/docs/" + p.relative_to(folder).as_posix(), p.read_bytes()) for p in paths]


def report(peer, version, folder, pages, seconds, work, *, clock="processor", **details):
    """Prints one line with the median speed, and appends the figure to the file in FIGURES, if set.

    `details` are further fields of the figure.
    """
    size = sum(len(source) for _, source in pages)
    speed, slowest, fastest = (round(size / 1e6 / f(seconds), 1) for f in (statistics.median, max, min))
    name = pathlib.Path(folder).name
    print(f"{peer} {version}, {name}: {speed} MB/s ({slowest}-{fastest}; {size / 1e6:.1f} MB; {work})", flush=True)
    if not os.environ.get("FIGURES"):
        return
    figure = {
        "contestant": peer,
        "version": version,
        # As the `rewrite` benchmark calls it.
        "corpus": "sites" if name == "site" else name,
        "documents": len(pages),
        "bytes": size,
        "megabytes_per_second": speed,
        "slowest": slowest,
        "fastest": fastest,
        "rounds": len(seconds),
        "clock": clock,
        **details,
        "machine": os.environ["MACHINE"],
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
    }
    with open(os.environ["FIGURES"], "a", encoding="utf-8") as file:
        file.write(json.dumps(figure, separators=(",", ":")) + "\n")


def measure(peer, version, rewrite, failures=()):
    """Measures a peer over every folder of the arguments. `rewrite` may raise `failures`."""
    rounds, folders = int(sys.argv[1]), sys.argv[2:]
    for folder in folders:
        pages = documents(folder)
        seconds, written, failed = [], 0, 0
        for _ in range(rounds):
            written = failed = 0
            start = time.process_time()
            for url, source in pages:
                try:
                    written += len(rewrite(url, source))
                except failures:
                    failed += 1
            seconds.append(time.process_time() - start)
        work = f"{written} bytes written, {failed} documents failed"
        runtime = f"Python {platform.python_version()}"
        report(peer, version, folder, pages, seconds, work, failed_documents=failed, runtime=runtime)
