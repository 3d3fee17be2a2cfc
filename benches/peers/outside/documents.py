"""The documents below a folder, and what is printed about them."""

import pathlib
import statistics


def documents(folder):
    """The HTML documents below a folder, with the URLs they are taken to come from."""
    folder = pathlib.Path(folder)
    paths = sorted(p for p in folder.rglob("*") if p.suffix.lower() in (".html", ".htm", ".xhtml") and p.is_file())
    return [("https://www.example.org/docs/" + p.relative_to(folder).as_posix(), p.read_bytes()) for p in paths]


def tell(peer, folder, size, seconds, what):
    """One line with the median speed."""
    megabytes = size / 1e6
    speed = megabytes / statistics.median(seconds)
    slowest, quickest = megabytes / max(seconds), megabytes / min(seconds)
    name = pathlib.Path(folder).name
    print(f"{peer}, {name}: {speed:.1f} MB/s ({slowest:.1f}-{quickest:.1f}; {megabytes:.1f} MB; {what})", flush=True)
