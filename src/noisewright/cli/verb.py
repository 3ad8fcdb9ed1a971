"""What every verb does otherwise than typer.

No option is silently overridden, usage has no braces, and refusals name options.
"""

from __future__ import annotations

from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, Final

from typer.core import TyperCommand, TyperGroup, TyperOption

from noisewright.cli.option_words import words_of
from noisewright.errors import InvalidParameter

TYPED: Final = "noisewright.typed"
"""Where a context keeps the words after the verb as they were typed."""

STARTED: Final = "noisewright.started"
"""Where a context keeps the moment at which the verb began."""

RUNNING: ContextVar[Any] = ContextVar("RUNNING")
"""The context of the verb that is running."""


class Verb(TyperCommand):
    """The class of every verb."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        _refuse_repeats(self.make_parser(ctx).parse_args(list(args))[2])
        ctx.meta[TYPED] = tuple(args)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run the verb; what it says and refuses names options and not the parameters of Python."""
        options = {each.name: each.opts[0] for each in self.params if each.opts[0].startswith("--")}
        ctx.meta[STARTED] = datetime.now(UTC).isoformat(timespec="seconds")
        token = RUNNING.set(ctx)
        try:
            with words_of(options, ctx.params):
                return super().invoke(ctx)
        finally:
            RUNNING.reset(token)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """A required argument is its name: READINGS and not {READINGS}."""
        return [piece.replace("{", "").replace("}", "") for piece in super().collect_usage_pieces(ctx)]


class Verbs(TyperGroup):
    """The class of a verb that has verbs under it."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        _refuse_repeats(self.make_parser(ctx).parse_args(list(args))[2])
        return super().parse_args(ctx, args)


def _refuse_repeats(order: list[Any]) -> None:
    """Refuse an option given twice where only one can be used; typer would take the last."""
    for option in order:
        single = isinstance(option, TyperOption) and not (option.multiple or option.is_flag)
        if single and sum(other is option for other in order) > 1:
            raise InvalidParameter(f"{option.opts[0]} is given twice, but only one can be used")
