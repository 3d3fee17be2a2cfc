"""Processes that are killed or interrupted: files are complete, nothing hangs, and the interpreter goes on."""

import os
import pathlib
import signal
import subprocess
import sys
import textwrap
import time

import absolve
import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")

SECONDS = 60

# Begins each program: documents without end, and the end of the program's preparation.
PRELUDE = """
import itertools, os, pathlib, sys, threading, time
import absolve
from absolve._site import page_rewriter, rewrite_pages

page = b"<meta charset=utf-8><body>" + b"<p>to the <a href=x>next page</a></p>" * 2000

def ready():
    print("ready", flush=True)

class Endless:
    def __init__(self, data=page, calls=None):
        self.data, self.calls = data, calls
    def read(self, size):
        if self.calls is not None:
            self.calls -= 1
            if self.calls == 0:
                ready()
                time.sleep(600)
        return self.data
class Nowhere:
    def write(self, data):
        pass
"""


def start(program, *arguments, **options):
    """Starts a program, and returns when it is ready."""
    command = [sys.executable, "-c", PRELUDE + textwrap.dedent(program), *map(str, arguments)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, **options)
    try:
        assert process.stdout.readline() == "ready\n"
    except BaseException:
        process.kill()
        raise
    return process


def end(process, number):
    """Sends a signal, and returns what the program prints after that."""
    try:
        process.send_signal(number)
        return process.communicate(timeout=SECONDS)[0]
    finally:
        process.kill()
        process.wait()


WRITING = {
    "stream": "absolve.Rewriter().rewrite_stream(Endless(calls=200), sys.argv[1], 'http://h/')",
    # HEAD has a TEMPLATE, so the document is spooled.
    "spool": "absolve.Rewriter().rewrite_stream(Endless(b'<meta charset=utf-8><template>' + page, 200), sys.argv[1])",
    "mail": "absolve.rewrite_archive(Endless(b'MIME-Version: 1.0\\nContent-Type: text/html\\n\\n', 200), sys.argv[1])",
    "archive": """
        block = b"HTTP/1.1 200 OK\\r\\nContent-Type: text/html\\r\\n\\r\\n" + page
        head = f"WARC/1.1\\r\\nWARC-Type: response\\r\\nWARC-Target-URI: http://h/\\r\\nContent-Length: {len(block)}\\r\\n\\r\\n"
        absolve.rewrite_archive(Endless(head.encode() + block + b"\\r\\n\\r\\n", 200), sys.argv[1])
    """,
}


@pytest.mark.parametrize("content", [None, b"old"])
@pytest.mark.parametrize("how", WRITING)
def test_a_killed_process_leaves_the_file_as_it_was(how, content, tmp_path):
    folder, temporary = tmp_path / "site", tmp_path / "temporary"
    folder.mkdir()
    temporary.mkdir()
    target = folder / "target"
    if content:
        target.write_bytes(content)
    process = start(WRITING[how], target, env={**os.environ, "TMPDIR": str(temporary)})
    # The process writes to a file with its number beside the target.
    assert how in ("spool", "mail") or any(file.stat().st_size for file in folder.glob(f".absolve-{process.pid}-*"))
    end(process, signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    assert (target.read_bytes() if target.exists() else None) == content
    leftovers = {name for name in os.listdir(folder) if name.startswith(f".absolve-{process.pid}-")}
    assert set(os.listdir(folder)) - leftovers == ({"target"} if content else set())
    assert os.listdir(temporary) == []


def test_a_killed_plugin_leaves_whole_pages(tmp_path):
    """Kills a process that rewrites the pages of a site again and again, in two forms."""
    program = """
    folder = pathlib.Path(sys.argv[1])
    pages = sorted(folder.glob("*.html"))
    rewriters = [page_rewriter({"to": form}) for form in ("absolute", "relative")]
    ready()
    for rewriter in itertools.cycle(rewriters):
        rewrite_pages(rewriter, "http://h/", folder, pages)
    """
    relative = b"<meta charset=utf-8>" + b"<p><a href=x>text</a></p>" * 20_000
    whole = {relative, absolve.make_links_absolute(relative, "http://h/")}
    pages = [tmp_path / f"{number}.html" for number in range(3)]
    for page in pages:
        page.write_bytes(relative)
    for number in range(15):
        process = start(program, tmp_path)
        time.sleep(0.01 * number)
        end(process, signal.SIGKILL)
        assert process.returncode == -signal.SIGKILL
        assert all(page.read_bytes() in whole for page in pages)


INTERRUPTED = {
    "many": "for _ in absolve.rewrite_many(itertools.repeat((page, 'http://h/')), threads=4): pass",
    "documents": """
        def documents():
            while True: yield page, "http://h/"
        for _ in absolve.rewrite_many(documents(), threads=4): pass
    """,
    "links": "while True:\n    for link in absolve.links(page, 'http://h/'): link.target",
    "iterlinks": "while True:\n    for _ in absolve.iterlinks(page, 'http://h/'): pass",
    "function": "while True: absolve.rewrite_links(page, lambda link: absolve.RESOLVE, 'http://h/')",
    "stream": "absolve.Rewriter().rewrite_stream(Endless(), Nowhere(), 'http://h/')",
    "path": "absolve.Rewriter().rewrite_stream(Endless(), sys.argv[1] + '/target', 'http://h/')",
    "arrow": "for _ in absolve.links_arrow(itertools.repeat((page, 'http://h/')), threads=4): pass",
    "archive": """
        block = b"HTTP/1.1 200 OK\\r\\nContent-Type: text/html\\r\\n\\r\\n" + page
        head = f"WARC/1.1\\r\\nWARC-Type: response\\r\\nWARC-Target-URI: http://h/\\r\\nContent-Length: {len(block)}\\r\\n\\r\\n"
        for entity in absolve.archive(Endless(head.encode() + block + b"\\r\\n\\r\\n")): entity.rewrite()
    """,
}


@pytest.mark.parametrize("how", INTERRUPTED)
def test_an_interrupt_ends_endless_work(how, tmp_path):
    program = "try:\n    ready()\n{}\nexcept KeyboardInterrupt: print('interrupted')\n{}"
    after = """
    # No thread of absolve is left, and it works as before.
    tasks = pathlib.Path("/proc/self/task")
    print(len(list(tasks.iterdir())) if tasks.exists() else 1, threading.active_count())
    print(list(absolve.rewrite_many([("<a href=x>", "http://h/")] * 2)))
    """
    body = textwrap.indent(textwrap.dedent(INTERRUPTED[how]), "    ")
    process = start(program.format(body, textwrap.dedent(after)), tmp_path)
    # The work has begun.
    time.sleep(0.1)
    output = end(process, signal.SIGINT)
    assert output.splitlines() == ["interrupted", "1 1", "['<a href=http://h/x>', '<a href=http://h/x>']"]
    assert process.returncode == 0
    assert os.listdir(tmp_path) == []
