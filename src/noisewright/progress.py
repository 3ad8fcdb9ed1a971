"""How long work reports how far it is: one type for all rooms, shown as one bar on the command line."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

Progress: TypeAlias = Callable[[int, int | None], None]
"""Called with the amount done and the amount to do, or None where that is not known."""

Status: TypeAlias = Callable[[str], None]
"""Called with the name of the part that is being worked on."""
