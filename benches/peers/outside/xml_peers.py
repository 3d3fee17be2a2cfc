"""The contestants of `benches/xml` that are Python. Arguments: number of rounds, folders.

Prints a line for each contestant and folder: the name of the contestant with its version, the folder and its speed in
10^6 bytes of input per second of processor time, separated by tabs.
"""

import pathlib
import statistics
import sys
import time

import feedparser
import lxml.etree
import lxml.html

URL = "https://www.example.org/blog/feed.xml"
# Entities of the DTD of XHTML are errors otherwise, because it is not read.
PARSER = lxml.html.XHTMLParser(recover=True)


def iterlinks(source):
    tree = lxml.html.document_fromstring(source, parser=PARSER)
    for element, attribute, link, _ in tree.iterlinks():
        element.tag, attribute, link


def parse(source):
    feedparser.parse(source, response_headers={"content-location": URL}, resolve_relative_uris=True)


CONTESTANTS = {
    f"lxml {lxml.etree.__version__}": iterlinks,
    f"feedparser {feedparser.__version__}": parse,
}


def main():
    rounds, folders = int(sys.argv[1]), sys.argv[2:]
    for folder in folders:
        sources = [path.read_bytes() for path in pathlib.Path(folder).iterdir()]
        size = sum(map(len, sources))
        for name, work in CONTESTANTS.items():
            if work is parse and pathlib.Path(folder).name == "xhtml":
                continue
            seconds = []
            for _ in range(rounds):
                start = time.process_time()
                for source in sources:
                    work(source)
                seconds.append(time.process_time() - start)
            print(name, folder, f"{size / 1e6 / statistics.median(seconds):.3g}", sep="\t", flush=True)


main()
