"""A function is another one when something of its author that it rests on has changed."""

import importlib
import sys

import pytest

from noisewright.engine.digest import digest

HELPERS = """
SCALE = 1.0

def noise(size):
    return SCALE * size
"""

MODULE = """
import functools
import json
import own_helpers
from own_helpers import noise

WIDTH, LEVELS, COUNTED = 2.0, (1, 2), []

def helper(value):
    return value * WIDTH

@functools.lru_cache
def cached(value):
    return value + 1

class Base:
    def scale(self):
        return 1.0

class Adder(Base):
    amount = 1
    def __call__(self, data):
        return data + self.amount
    @property
    def twice(self):
        return 2
    @staticmethod
    def plain():
        return 3

def release(data):
    COUNTED.append(1)
    again = [helper(each) for each in (data,)]
    return json.dumps([again, LEVELS, noise(1), own_helpers.noise(2), cached(1)])

def recursive(count):
    return recursive(count - 1) if count else helper(1)
"""


@pytest.fixture
def loaded(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def load(helpers=HELPERS, module=MODULE):
        for name, content in (("own_helpers", helpers), ("own_module", module)):
            (tmp_path / f"{name}.py").write_text(content)
            sys.modules.pop(name, None)
        importlib.invalidate_caches()
        return importlib.import_module("own_module")

    yield load
    for name in ("own_helpers", "own_module"):
        sys.modules.pop(name, None)


def marks(module):
    return {
        "release": digest(module.release),
        "object": digest(module.Adder()),
        "method": digest(module.Adder().__call__),
        "recursive": digest(module.recursive),
    }


CHANGES = [
    (("SCALE = 1.0", "SCALE = 10.0"), None, {"release"}),
    (("return SCALE * size", "return SCALE + size"), None, {"release"}),
    (None, ("WIDTH, LEVELS, COUNTED = 2.0", "WIDTH, LEVELS, COUNTED = 3.0"), {"release", "recursive"}),
    (None, ("(1, 2), []", "(1, 3), []"), {"release"}),
    (None, ("value * WIDTH", "value / WIDTH"), {"release", "recursive"}),
    (None, ("value + 1", "value + 2"), {"release"}),
    (None, ("data + self.amount", "data - self.amount"), {"object", "method"}),
    (None, ("amount = 1", "amount = 2"), {"object", "method"}),
    (None, ("return 1.0", "return 2.0"), {"object", "method"}),
    (None, ("return 2\n", "return 4\n"), {"object", "method"}),
    (None, ("return 3\n", "return 5\n"), {"object", "method"}),
    (None, ("COUNTED = 2.0, (1, 2), []", "COUNTED = 2.0, (1, 2), [7]"), set()),
]


@pytest.mark.parametrize(("helpers", "module", "changed"), CHANGES)
def test_what_changes_is_seen_and_nothing_else(loaded, helpers, module, changed):
    before = marks(loaded())
    assert before == marks(loaded())
    texts = [
        text.replace(*change) if change else text for text, change in ((HELPERS, helpers), (MODULE, module))
    ]
    assert texts != [HELPERS, MODULE]
    after = marks(loaded(*texts))
    assert {name for name in before if before[name] != after[name]} == changed


def test_a_run_does_not_make_a_function_another_one(loaded):
    module = loaded()
    before = digest(module.release)
    module.release(1)
    assert digest(module.release) == before
