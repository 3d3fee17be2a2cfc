"""The contestants of `run` that are Python: python contestants.py NAME LIST

LIST is a file with the URL and the path of a document on each line, separated by a tab. Prints a JSON object: the
elapsed seconds of one pass over the documents, which are in memory, the version of the contestant, and the number of
documents that it rejected.
"""

import json
import pathlib
import sys
import time
from urllib.parse import urljoin

# Seconds after which no further pass begins.
SECONDS = 0.5


def absolve_rewrite():
    import absolve

    def work(pages):
        for html, url in pages:
            absolve.make_links_absolute(html, url)

    return absolve.__version__, work


def absolve_links():
    import absolve

    def work(pages):
        for html, url in pages:
            for link in absolve.links(html, url):
                link.element, link.attribute, link.reference, link.target

    return absolve.__version__, work


def absolve_many(threads):
    import absolve

    def work(pages):
        for _ in absolve.rewrite_many(pages, threads=threads):
            pass

    return absolve.__version__, work


def lxml_rewrite():
    import lxml.etree
    import lxml.html

    def work(pages):
        for html, url in pages:
            tree = lxml.html.document_fromstring(html)
            tree.make_links_absolute(url, handle_failures="ignore")
            lxml.html.tostring(tree, encoding=tree.getroottree().docinfo.encoding or "utf-8")

    return lxml.etree.__version__, work


def lxml_links():
    import lxml.etree
    import lxml.html

    def work(pages):
        for html, _ in pages:
            for element, attribute, link, _ in lxml.html.document_fromstring(html).iterlinks():
                element.tag, attribute, link

    return lxml.etree.__version__, work


def soup_rewrite(parser):
    import bs4
    import lxml.html.defs

    def work(pages):
        rejected = 0
        for html, url in pages:
            try:
                soup = bs4.BeautifulSoup(html, parser)
            except bs4.exceptions.ParserRejectedMarkup:
                rejected += 1
                continue
            base = soup.find("base", href=True)
            base_url = urljoin(url, base["href"]) if base else url
            for element in soup.find_all(True):
                for name in lxml.html.defs.link_attrs & element.attrs.keys():
                    try:
                        element[name] = urljoin(base_url, element[name])
                    except (TypeError, ValueError):
                        # A list of URLs, or an invalid one.
                        continue
            soup.encode(soup.original_encoding or "utf-8")
        return rejected

    return bs4.__version__, work


CONTESTANTS = {
    "absolve": absolve_rewrite,
    "absolve-links": absolve_links,
    "absolve-1": lambda: absolve_many(1),
    "absolve-2": lambda: absolve_many(2),
    "lxml": lxml_rewrite,
    "lxml-links": lxml_links,
    "soup-lxml": lambda: soup_rewrite("lxml"),
    "soup-python": lambda: soup_rewrite("html.parser"),
}


def main():
    name, listed = sys.argv[1:]
    lines = [line.split("\t") for line in pathlib.Path(listed).read_text().splitlines()]
    pages = [(pathlib.Path(path).read_bytes(), url) for url, path in lines]
    version, work = CONTESTANTS[name]()
    # Warms up caches without a pass that takes a contestant seconds.
    work(pages[: len(pages) // 10 + 1])
    passes, start = 0, time.perf_counter()
    while (elapsed := time.perf_counter() - start) < SECONDS:
        rejected = work(pages)
        passes += 1
    print(json.dumps({"seconds": elapsed / passes, "version": version, "rejected": rejected or 0}))


main()
