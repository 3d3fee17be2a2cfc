"""The stubs describe the module, and programs with types pass a strict checker."""

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


def test_the_package_passes_a_strict_checker():
    run("mypy", "--strict", "--config-file", "python/pyproject.toml", "--package", "absolve")
