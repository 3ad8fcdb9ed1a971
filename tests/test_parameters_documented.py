"""Every parameter of everything that an ``__init__`` exports is documented."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from enum import EnumType

import pytest

import noisewright

PACKAGES = ["noisewright", *(
    module.name for module in pkgutil.walk_packages(noisewright.__path__, "noisewright.") if module.ispkg
)]  # fmt: skip


def exported() -> dict[str, object]:
    """All public callables of all packages, each once."""
    found = {}
    for name in PACKAGES:
        package = importlib.import_module(name)
        for public in getattr(package, "__all__", []):
            value = getattr(package, public)
            if callable(value) and getattr(value, "__module__", "").startswith("noisewright"):
                found.setdefault(f"{value.__module__}.{getattr(value, '__qualname__', public)}", value)
    return found


def parameters(value: object) -> list[str]:
    """The names of its parameters; of a class, those that its constructor takes; protocols have none."""
    if isinstance(value, EnumType) or getattr(value, "_is_protocol", False):
        return []
    try:
        names = inspect.signature(value).parameters
    except (TypeError, ValueError):  # a type alias, or a class of the standard library's making
        return []
    return [name for name in names if name not in ("self", "cls") and not name.startswith("_")]


def documentation(value: object) -> str:
    """Its own docstring and, of a class, those of the classes that it inherits its parameters from."""
    if inspect.isclass(value):
        own = [each.__doc__ or "" for each in value.__mro__ if each.__module__.startswith("noisewright")]
        return "\n".join([*own, getattr(value.__init__, "__doc__", None) or ""])
    return inspect.getdoc(value) or ""


def missing(value: object) -> list[str]:
    """Parameters that no entry of a section ``Args:`` or ``Attributes:`` names."""
    entries = set(re.findall(r"^\s*\*{0,2}(\w+)(?:, \*{0,2}\w+)*:", documentation(value), flags=re.MULTILINE))
    several = re.findall(r"^\s*((?:\*{0,2}\w+, )+\*{0,2}\w+):", documentation(value), flags=re.MULTILINE)
    entries |= {name.strip("* ") for line in several for name in line.split(",")}
    return [name for name in parameters(value) if name not in entries]


@pytest.mark.parametrize("name", exported())
def test_every_parameter_is_documented(name):
    assert not missing(exported()[name])


def test_a_parameter_that_is_not_documented_is_missed():
    def function(first, second):
        """Do something.

        Args:
            first: What it is.
        """

    assert missing(function) == ["second"]
