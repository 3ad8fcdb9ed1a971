"""Importing the package is cheap: nothing heavy, no logging set-up, no side effects."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import noisewright

HEAVY = ("numba", "matplotlib", "pandas", "polars", "pyarrow", "scipy", "sklearn", "typer", "rich")


def modules_after(statement: str) -> set[str]:
    code = f"import sys\n{statement}\nprint(' '.join(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=600
    )
    assert done.stderr == ""
    return {name.split(".")[0] for name in done.stdout.split()}


def test_import_loads_nothing_heavy():
    assert not modules_after("import noisewright") & {*HEAVY, "numpy"}
    assert not modules_after("import noisewright.mechanisms") & set(HEAVY)


def test_small_calls_do_not_load_the_compiler():
    statement = "from noisewright import *; from noisewright.mechanisms import OGPM; OGPM(Interval(0, 1), 1.0).perturb(0.5)"
    assert "numba" not in modules_after(statement)


def test_import_sets_up_no_logging():
    code = "import logging, noisewright.mechanisms; assert not logging.getLogger().handlers"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=600)


def test_import_takes_a_bounded_number_of_modules():
    """A count, not a stopwatch: machines differ, but what is loaded does not."""
    code = "import sys, numpy; before = len(sys.modules)\nimport noisewright.mechanisms\nprint(len(sys.modules) - before)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=600
    )
    assert int(done.stdout) < 150


def test_type_checkers_are_told_the_names_that_the_package_exports():
    stub = ast.parse(Path(noisewright.__file__).with_suffix(".pyi").read_text())
    imported = {
        alias.name: node.module
        for node in stub.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert {*imported, "__version__"} == set(noisewright.__all__)
    for name, module in imported.items():
        assert getattr(noisewright, name) is getattr(importlib.import_module(module), name)
    with pytest.raises(AttributeError, match="no attribute 'Intervall'"):
        noisewright.Intervall  # noqa: B018
