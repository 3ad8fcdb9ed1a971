"""A function is another one when something of its author that it rests on has changed."""

import importlib
import sys

import pytest

from noisewright.io.digest import digest

HELPERS = """
SCALE = 1.0

def noise(size):
    return SCALE * size
"""

MODULE = """
import dataclasses
import decimal
import enum
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

def noisy(scale):
    def wrap(function):
        @functools.wraps(function)
        def inner(value):
            return function(value) + scale
        return inner
    return wrap

@noisy(2.0)
def decorated(value):
    return value

class Level(enum.Enum):
    LOW = "low"

class Meta(type):
    strength = 1

class Rich(metaclass=Meta):
    class Inner:
        depth = 1
    @functools.cached_property
    def width(self):
        return 10
    @functools.cache
    def height(self):
        return 20

@dataclasses.dataclass(frozen=True)
class Setting:
    value: float = 0.5

SETTING, HALF, ADDED = Setting(), decimal.Decimal("0.50"), functools.partial(helper, 7)
CALLS = 0

@functools.cache
def rich(value):
    global CALLS
    CALLS += 1
    return decorated(value), Level.LOW, Rich(), SETTING, HALF, ADDED()
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
        "rich": digest(module.rich),
    }


CHANGES = [
    (("SCALE = 1.0", "SCALE = 10.0"), None, {"release"}),
    (("return SCALE * size", "return SCALE + size"), None, {"release"}),
    (
        None,
        ("WIDTH, LEVELS, COUNTED = 2.0", "WIDTH, LEVELS, COUNTED = 3.0"),
        {"release", "recursive", "rich"},
    ),
    (None, ("(1, 2), []", "(1, 3), []"), {"release"}),
    (None, ("value * WIDTH", "value / WIDTH"), {"release", "recursive", "rich"}),
    (None, ("@noisy(2.0)", "@noisy(0.1)"), {"rich"}),
    (None, ("function(value) + scale", "function(value) - scale"), {"rich"}),
    (None, ('LOW = "low"', 'LOW = "lower"'), {"rich"}),
    (None, ("strength = 1", "strength = 2"), {"rich"}),
    (None, ("depth = 1", "depth = 2"), {"rich"}),
    (None, ("return 10\n", "return 11\n"), {"rich"}),
    (None, ("return 20\n", "return 21\n"), {"rich"}),
    (None, ("value: float = 0.5", "value: float = 0.6"), {"rich"}),
    (None, ('"0.50"', '"0.51"'), {"rich"}),
    (None, ("partial(helper, 7)", "partial(helper, 8)"), {"rich"}),
    (None, ("CALLS = 0", "CALLS = 5"), set()),
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


def test_long_chains_of_helpers_and_open_closures_are_read():
    lines = ["def link0(x): return x"] + [f"def link{k}(x): return link{k - 1}(x)" for k in range(1, 2000)]
    known = {"__name__": "__main__"}
    exec("\n".join(lines), known)
    before = digest(known["link1999"])
    known["link0"] = lambda x: x + 1
    assert digest(known["link1999"]) != before

    def unready():
        return later

    assert digest(unready) == digest(unready)
    later = 1
    assert unready() == later


def test_data_are_not_followed(loaded):
    module = loaded()
    before, other = (digest(kind(), follows=False) for kind in (module.Adder, module.Rich))
    after = digest(loaded(module=MODULE.replace("amount = 1", "amount = 2")).Adder(), follows=False)
    assert before == after != other
