"""Results pass from process to process."""

import copy
import multiprocessing
import pickle

import absolve
import pytest

from test_warc_arrow import record

PAGE = '<base href="/d/"><a href="x&amp;y"><img srcset="a 1x, b 2x"><a href="{{ z }}"><iframe srcdoc="<a href=v>">'

FIELDS = {
    "ArchiveProblem": "label offset skipped message",
    "ArchiveReport": "format records documents rewritten changed edited counts skipped problems",
    "FileProblem": "path message",
    "Finding": "path rule severity message help start end line column reference",
    "Link": "element attribute grammar role reference target base base_source status reason start end depth",
    "Links": "base problem",
    "MirrorReport": "documents changed_files others counts skipped lost notes problems",
    "Rewritten": "content changed edited base skipped counts problem",
    "SiteReport": "findings documents suppressed left_to_server outside counts problems",
    "StreamReport": "changed edited read written base counts skipped buffered",
}


def state(result):
    """Returns all that a result tells, as plain values."""
    if isinstance(result, dict):
        return list(result.items())
    if isinstance(result, list):
        return [state(item) for item in result]
    if isinstance(result, absolve.BaseUrl):
        return str(result), result.source, result.candidates
    if type(result).__name__ not in FIELDS:
        return type(result), result
    fields = [state(getattr(result, name)) for name in FIELDS[type(result).__name__].split()]
    items = [state(link) for link in result] if isinstance(result, absolve.Links) else []
    return type(result), repr(result), fields, items


def results(page):
    """Returns a result of each kind."""
    rewriter = absolve.Rewriter()
    links = rewriter.links(page, "http://h/")
    return [
        links,
        *links,
        rewriter.links(b"\0" * 9, None),
        rewriter.rewrite(page, "http://h/"),
        rewriter.rewrite(page.encode(), "http://h/"),
        absolve.Rewriter(remove_attribute="img[srcset]", skip="a[href]").rewrite(page, "http://h/"),
        absolve.check(page + "<base href=z>", "http://h/"),
    ]


@pytest.fixture
def every(tmp_path):
    """All results, also those about files."""
    folder = tmp_path / "h"
    folder.mkdir()
    (folder / "a.html").write_text(PAGE)
    (folder / "b.html").write_bytes(b"%PDF-1.4")
    archive = record() + b"damaged"
    return [
        *results(PAGE),
        absolve.Rewriter().rewrite_stream(PAGE.encode(), tmp_path / "stream", "http://h/"),
        absolve.rewrite_archive(archive, tmp_path / "archive"),
        absolve.mirror(folder, tmp_path / "mirror", url="http://h/"),
        absolve.check_site(folder, "http://h/"),
    ]


def test_pickles_and_copies_are_equal(every):
    kinds = {type(item).__name__ for item in every} | {"ArchiveProblem", "FileProblem", "Finding"}
    assert kinds - {"list"} == set(FIELDS)
    for result in every:
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
            again = pickle.loads(pickle.dumps(result, protocol))
            assert state(again) == state(result)
            # That of a pickle is the same again.
            assert state(copy.deepcopy(again)) == state(result)
        assert state(copy.copy(result)) == state(result)


def test_links_of_a_pickle_are_a_sequence():
    links = absolve.links(PAGE, "http://h/")
    again = pickle.loads(pickle.dumps(links))
    assert len(again) == len(links) > 4
    assert state(again[-1]) == state(links[-1])
    assert state(again[1:3]) == state(links[1:3])
    with pytest.raises(IndexError):
        again[len(links)]
    assert tuple(again[0]) == tuple(links[0])


def test_results_come_back_from_other_processes():
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        (found,) = pool.map(results, [PAGE])
    assert state(found) == state(results(PAGE))
