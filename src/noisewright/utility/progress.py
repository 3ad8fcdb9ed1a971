"""How long work tells how far it is: called with what is done and how much there is, if that is known."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int, int | None], None]
