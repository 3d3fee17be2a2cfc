"""The stubs describe the module, and programs with types pass a strict checker."""

import doctest
import subprocess
import sys

import support


def run(*arguments):
    try:
        import mypy  # noqa: F401
    except ImportError:
        support.missing("mypy")
    result = subprocess.run([sys.executable, "-m", *arguments], cwd=support.ROOT, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr


def test_the_stubs_describe_the_module():
    run("mypy.stubtest", "absolve", "--mypy-config-file", "python/pyproject.toml")


def test_examples_pass_a_strict_checker():
    run("mypy", "--strict", "python/examples")


def test_examples_of_the_readme_pass_a_checker(tmp_path):
    text = (support.ROOT / "python" / "README.md").read_text(encoding="utf-8")
    sources = [example.source for example in doctest.DocTestParser().get_examples(text)]
    assert len(sources) > 20
    program = tmp_path / "readme.py"
    program.write_text("".join(sources), encoding="utf-8")
    # An interactive example has functions without types, and gives a name to several things.
    options = ["--allow-untyped-defs", "--allow-untyped-calls", "--allow-redefinition"]
    run("mypy", "--strict", "--config-file", "python/pyproject.toml", *options, str(program))


def test_the_package_passes_a_strict_checker():
    run("mypy", "--strict", "--config-file", "python/pyproject.toml", "--package", "absolve")
