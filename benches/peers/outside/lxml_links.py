"""A peer: lxml's make_links_absolute. Arguments: number of rounds, folders."""

import lxml.etree
import lxml.html

import documents


def rewrite(url, source):
    tree = lxml.html.document_fromstring(source, base_url=url)
    tree.make_links_absolute(url, handle_failures="ignore")
    return lxml.html.tostring(tree, encoding=tree.getroottree().docinfo.encoding or "utf-8")


FAILURES = (lxml.etree.LxmlError, ValueError, LookupError, AssertionError)
documents.measure("lxml", lxml.etree.__version__, rewrite, FAILURES)
