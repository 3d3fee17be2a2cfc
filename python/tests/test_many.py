"""Many documents: order, errors, threads."""

import itertools
import os
import threading

import absolve
import pytest


def jobs(count):
    return [(b"<a href=%d>" % number, f"http://h{number}/") for number in range(count)]


@pytest.mark.parametrize("threads", [0, 1, 2, 7])
def test_results_are_in_order(threads):
    expected = [b"<a href=http://h%d/%d>" % (number, number) for number in range(1000)]
    assert list(absolve.rewrite_many(jobs(1000), threads=threads)) == expected
    assert list(absolve.rewrite_many([], threads=threads)) == []


def test_a_third_item_is_the_media_type():
    documents = [(b"a{b:url(c)}", "http://h/", "text/css"), (b"<a href=x>", "http://h/", None), (b"<a href=x>", "http://h/", "image/png")]
    assert list(absolve.rewrite_many(documents)) == [b"a{b:url(http://h/c)}", b"<a href=http://h/x>", b"<a href=x>"]


def test_few_documents_are_taken_ahead():
    taken = []

    def endless():
        for number in itertools.count():
            taken.append(number)
            yield b"<a href=x>", f"http://h{number}/"

    results = absolve.rewrite_many(endless(), threads=2)
    for number in range(200):
        assert next(results) == b"<a href=http://h%d/x>" % number
        assert len(taken) == number + 64


def test_an_error_of_the_iterable_follows_the_results_before_it():
    def documents():
        yield from jobs(3)
        raise KeyError("mine")

    results = absolve.rewrite_many(documents(), threads=2)
    assert [next(results) for _ in range(3)] == [absolve.rewrite(*job) for job in jobs(3)]
    with pytest.raises(KeyError, match="mine"):
        next(results)
    with pytest.raises(StopIteration):
        next(results)


def test_an_invalid_url_is_an_error_of_its_document():
    results = absolve.rewrite_many([(b"<a href=x>", "http://h/"), (b"", "relative")])
    assert next(results) == b"<a href=http://h/x>"
    with pytest.raises(ValueError, match="relative"):
        next(results)


def test_one_rewriter_serves_all_threads():
    rewriter, page, results = absolve.Rewriter(), "<a href=x>\u00fc" * 500, []
    expected = absolve.rewrite(page, "http://h/")

    def work():
        for _ in range(50):
            results.append(rewriter.rewrite(page, "http://h/").content == expected)
            results.append(len(rewriter.links(page, "http://h/")) == 500)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True] * 800


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a system without fork")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_forked_process_has_no_results():
    """The threads exist in the process that was forked only: nothing waits for them in the other one."""
    results = absolve.rewrite_many(jobs(500), threads=4)
    next(results)
    child = os.fork()
    if child == 0:
        status = 1
        try:
            next(results)
        except RuntimeError as error:
            status = 0 if "forked" in str(error) else 2
        del results
        os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert len(list(results)) == 499
