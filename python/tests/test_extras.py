"""Modules for other packages, without these packages."""

import pathlib
import subprocess
import sys

import absolve
import pytest

EXTRAS = ["lxml", "mkdocs", "pelican", "scrapy", "spark", "sphinx"]
# Packages that have another name than the extra.
PACKAGES = {"spark": "pyspark"}


def test_all_extras_are_listed():
    files = pathlib.Path(absolve.__file__).parent.glob("[a-z]*")
    modules = {file.stem for file in files if file.suffix == ".py" or file.is_dir()}
    assert modules == set(EXTRAS)


@pytest.mark.parametrize("extra", EXTRAS)
def test_a_module_without_its_package_names_the_extra(extra):
    # An import of None fails as one of a package that is not installed.
    package = PACKAGES.get(extra, extra)
    program = f"import sys; sys.modules[{package!r}] = None; import absolve; import absolve.{extra}"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert result.returncode == 1
    last = result.stderr.splitlines()[-1]
    assert last.startswith(f"ImportError: absolve.{extra} needs ")
    assert last.endswith(f": pip install 'absolve[{extra}]'")
