"""A peer: lxml's make_links_absolute. Arguments: number of rounds, folders."""

import platform
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
        seconds, written, failed = [], 0, 0
        for _ in range(rounds):
            written = failed = 0
            start = time.process_time()
            for url, source in pages:
                try:
                    written += len(rewrite(url, source))
                except (lxml.etree.LxmlError, ValueError, LookupError, AssertionError):
                    failed += 1
            seconds.append(time.process_time() - start)
        work = f"{written} bytes written, {failed} documents failed"
        details = {"failed_documents": failed, "runtime": f"Python {platform.python_version()}"}
        documents.report("lxml", lxml.etree.__version__, folder, pages, seconds, work, **details)


main()
