"""Places that tests read from, and what happens if one is missing."""

import importlib
import os
import pathlib
import subprocess
import sys
from types import ModuleType

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "fixtures"
REQUIRES_ALL = os.environ.get("ABSOLVE_REQUIRE_ALL") == "1"


def missing(what: str) -> None:
    """Skips a test that needs something this machine lacks; a failure if everything is required."""
    if REQUIRES_ALL:
        pytest.fail(f"{what} is required")
    pytest.skip(f"without {what}")


def corpora() -> pathlib.Path:
    """Returns the folder of third-party tests and pages."""
    folder = pathlib.Path(os.environ.get("ABSOLVE_CORPORA", ROOT.parent / "shared" / "corpora"))
    if not folder.is_dir():
        missing("the corpora (ABSOLVE_CORPORA)")
    return folder


def command() -> pathlib.Path:
    """Returns the command `absolve`."""
    binary = pathlib.Path(os.environ.get("ABSOLVE_COMMAND", ROOT / "target" / "release" / "absolve"))
    if not binary.is_file():
        missing("the command (ABSOLVE_COMMAND, or cargo build --release)")
    return binary


def imported(name: str) -> ModuleType:
    """Returns a module that a whole file of tests needs, and skips the file without it."""
    try:
        return importlib.import_module(name)
    except ImportError:
        if REQUIRES_ALL:
            raise
        pytest.skip(f"without {name}", allow_module_level=True)


def run_module(*arguments: str, folder: pathlib.Path) -> str:
    """Runs a program of a package in a folder, as a user would, and returns what it prints."""
    command = [sys.executable, "-m", *arguments]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout + result.stderr


def write(folder: pathlib.Path, files: dict[str, str]) -> None:
    """Writes text files below a folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
