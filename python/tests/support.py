"""Places that tests read from, and what happens if one is missing."""

import importlib
import os
import pathlib
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
