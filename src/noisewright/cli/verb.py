"""What every verb adds to typer: no option overrides another silently, and messages name options.

Refusals are written beside the parameters, in terms of Python. A user of the command line reads options
instead, by one rule: **a parameter that a message marks as one is shown as the option that the running verb
declares for it**. Python's spelling is the mark: the ``field`` of a refusal, a name in backticks,
``name=value``, or an underscore. A domain is shown as it was typed: ``Integers(0, 99)`` becomes
``--integers age=0:99``. So if an option and its parameter have different names, the verb's function uses the
parameter's name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

from noisewright.errors import InvalidParameter, NoisewrightError

DOMAINS: Final = {"Interval": "interval", "Integers": "integers", "Circle": "circle"}
_DOMAIN: Final = re.compile(
    r"(?<![\w\"'=])(?:an? )?\b(?P<kind>Interval|Integers|Circle)(?:\((?P<ends>-?\d[^()]*)\)|(?![\w\"'(=]))"
)
_MARKED: Final = re.compile(
    r"`(?P<quoted>[a-z_]+)`"
    r"|(?<![\w\"'=,-])(?P<assigned>[a-z][a-z_]*)="
    r"""(?P<value>"[^"]*"|'[^']*'|\{[^{}]*\}|True|\.\.\.|…|-?\d[\d.e-]*(?<!\.))"""
    r"|(?<![\w\"'=./\\-])(?P<joined>[a-z]+(?:_[a-z]+)+)(?![\w\"'=(/\\]|\.\w)"
)
_PAIR: Final = re.compile(r'"([^"]*)": "([^"]*)"')


@dataclass(frozen=True)
class OptionWords:
    """The options of one verb, by the names of the parameters that they set.

    Attributes:
        options: The option of each parameter: ``{"most_loss": "--most-loss"}``.
        typed: The values of the parameters: ``{"integers": ["age=0:99"]}``.
    """

    options: Mapping[str, str]
    typed: Mapping[str, Any]

    def spell(self, message: str, field: str = "") -> str:
        """Return a message with options in place of parameters and of domains.

        Args:
            message: The message in terms of Python.
            field: The parameter that the message is about, if its refusal names one.

        >>> words = OptionWords({"most_loss": "--most-loss", "integers": "--integers", "replace": "--force"},
        ...     {"integers": ["age=0:99"]})
        >>> words.spell("most_loss must be a number from 0 up, got -1")
        '--most-loss must be a number from 0 up, got -1'
        >>> words.spell("age in data row 2 lies above Integers(0, 99); pass replace=True")
        'age in data row 2 lies above --integers age=0:99; pass --force'
        >>> OptionWords({"columns": "--column"}, {}).spell('say by columns={"x": "lon", "y": "lat"}')
        'say by --column x=lon --column y=lat'
        """
        if option := self.options.get(field):
            message = re.sub(rf"(?<![\w\"']){field}\b", option, message, count=1)
        message = _DOMAIN.sub(lambda found: self._domain(found, message), message)
        return _MARKED.sub(self._marked, message)

    def _marked(self, found: re.Match[str]) -> str:
        """Return the option of a parameter, if the verb has one; a column's name is not a parameter."""
        name = found["quoted"] or found["assigned"] or found["joined"]
        option = self.options.get(name)
        if option is None or any(text.startswith(f"{name}=") for _, text in self._texts()):
            return found[0]
        value = (found["value"] or "True").strip("\"'")
        if value.startswith("{"):
            return " ".join(f"{option} {key}={each}" for key, each in _PAIR.findall(value))
        return option if value in ("True", "...", "…") else f"{option} {value}"

    def _domain(self, found: re.Match[str], message: str) -> str:
        """Return a domain as it was typed; among equal ones, that of the column that the message names."""
        own = DOMAINS[found["kind"]]
        option = self.options.get(own)
        if found["ends"] is None:
            return option or found[0]
        ends = [float(end) for end in found["ends"].split(",") if "=" not in end]
        others = {each for each in DOMAINS.values() if each != own}
        texts = [(name, text) for name, text in self._texts() if _ends(text) == ends and name not in others]
        about = [each for each in texts if _named(each[1].rpartition("=")[0], message)]
        for name, text in about or texts:
            if name in self.options:
                return f"{self.options[name]} {text}"
        return found[0] if option is None else f"{option} {':'.join(f'{end:.17g}' for end in ends)}"

    def _texts(self) -> Iterator[tuple[str, str]]:
        """Yield all texts that were typed, each with its parameter."""
        for name, given in self.typed.items():
            several = given if isinstance(given, Sequence) and not isinstance(given, str) else [given]
            yield from ((name, each) for each in several if isinstance(each, str))


def _named(column: str, message: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(column)}(?!\w)", message) is not None


def _ends(text: str) -> list[float] | None:
    """Return the numbers of ``name=low:high``, ``low:high`` or a period; None for any other text."""
    try:
        return [float(end) for end in text.rpartition("=")[2].split(":")]
    except ValueError:
        return None


_SPOKEN: ContextVar[OptionWords | None] = ContextVar("_SPOKEN", default=None)


@contextmanager
def words_of(options: Mapping[str, str], typed: Mapping[str, Any]) -> Iterator[None]:
    """Spell notices, and refusals that leave this context, with the options of a verb."""
    words = OptionWords(options, typed)
    token = _SPOKEN.set(words)
    try:
        yield
    except NoisewrightError as refusal:
        refusal.args = (words.spell(str(refusal), refusal.field), *refusal.args[1:])
        raise
    finally:
        _SPOKEN.reset(token)


def in_words_of_the_verb(message: str) -> str:
    """Return a message with the options of the running verb; unchanged if none is running."""
    words = _SPOKEN.get()
    return message if words is None else words.spell(message)


TYPED: Final = "noisewright.typed"
"""The key under which a context keeps the words after the verb as they were typed."""

STARTED: Final = "noisewright.started"
"""The key under which a context keeps the time at which the verb began."""

RUNNING: ContextVar[Any] = ContextVar("RUNNING")
"""The context of the verb that is running."""


class Verb(TyperCommand):
    """The class of every verb."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        for each in self.params:
            if isinstance(each, TyperArgument):  # its name says enough: PRIVATE, not PRIVATE <list[Path]>
                each.display_type_rich = lambda ctx: ""  # type: ignore[method-assign]

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        _refuse_repeats(self, ctx, args)
        ctx.meta[TYPED] = tuple(args)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run the verb; its notices and refusals name options instead of Python parameters."""
        declared = [(each.name, each.opts[0]) for each in self.params if each.opts[0].startswith("--")]
        options = {option[2:].replace("-", "_"): option for _, option in declared} | dict(declared)
        ctx.meta[STARTED] = datetime.now(UTC).isoformat(timespec="seconds")
        token = RUNNING.set(ctx)
        try:
            with words_of(options, ctx.params):
                return super().invoke(ctx)
        finally:
            RUNNING.reset(token)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Show an argument by its name, once in brackets if it is optional: READINGS, [ROWS]."""
        odd = re.compile(r"[{}]|(?<=\[)\[|\](?=\])")
        return [odd.sub("", piece) for piece in super().collect_usage_pieces(ctx)]


class Verbs(TyperGroup):
    """The class of a verb that has verbs of its own, such as ``routes``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        _refuse_repeats(self, ctx, args)
        return super().parse_args(ctx, args)


def _refuse_repeats(command: Any, ctx: Any, args: list[str]) -> None:
    """Refuse a single-valued option that is given twice; typer would silently take the last."""
    if ctx.resilient_parsing:  # shell completion works on an unfinished line
        return
    order = command.make_parser(ctx).parse_args(list(args))[2]
    for option in order:
        single = isinstance(option, TyperOption) and not (option.multiple or option.is_flag)
        if single and sum(other is option for other in order) > 1:
            raise InvalidParameter(f"{option.opts[0]} is given twice, but only one can be used")
