"""A peer: lxml's make_links_absolute. Arguments: how many rounds, and folders."""

import sys
import time

import lxml.etree
import lxml.html

import documents


def rewrite(url, source):
    tree = lxml.html.document_fromstring(source, base_url=url)
    tree.make_links_absolute(url, handle_failures="ignore")
    return lxml.html.tostring(tree, encoding=tree.getroottree().docinfo.encoding or "utf-8")


def main():
    rounds, folders = int(sys.argv[1]), sys.argv[2:]
    for folder in folders:
        pages = documents.documents(folder)
        seconds, written, given_up = [], 0, 0
        for _ in range(rounds):
            written = given_up = 0
            start = time.process_time()
            for url, source in pages:
                try:
                    written += len(rewrite(url, source))
                except (lxml.etree.LxmlError, ValueError, LookupError, AssertionError):
                    given_up += 1
            seconds.append(time.process_time() - start)
        size = sum(len(source) for _, source in pages)
        what = f"{written} bytes written, {given_up} documents given up"
        documents.tell(f"lxml {lxml.etree.__version__}", folder, size, seconds, what)


main()
