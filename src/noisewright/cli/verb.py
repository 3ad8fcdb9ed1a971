"""What every verb does beyond typer: no option overrides another silently, and messages name options.

Refusals are written where the parameters are, in the words of Python. Whoever typed a command reads options
instead, by one rule: **a parameter that a message marks as one is shown as the option that the verb at work
declares for it**. Python's own spelling is the mark: the ``field`` of a refusal, a name in backticks,
``name=value``, or an underscore. A domain is shown as it was typed: ``Integers(0, 99)`` is
``--integers age=0:99``. So where an option is not called like the parameter that it sets, the verb's function
gives it the parameter's name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from typer import BadParameter
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
    """How one verb spells what Python calls otherwise.

    Attributes:
        options: the option of each parameter: ``{"most_loss": "--most-loss"}``.
        typed: what the parameters were given: ``{"integers": ["age=0:99"]}``.
    """

    options: Mapping[str, str]
    typed: Mapping[str, Any]

    def spell(self, message: str, field: str = "") -> str:
        """Return a message with options in place of parameters and of domains.

        Args:
            message: The message in the words of Python.
            field: The parameter that it is about, where its refusal says so.

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
        """The option of a parameter, if the verb has one; the name of a column is no parameter."""
        name = found["quoted"] or found["assigned"] or found["joined"]
        option = self.options.get(name)
        if option is None or any(text.startswith(f"{name}=") for _, text in self._texts()):
            return found[0]
        value = (found["value"] or "True").strip("\"'")
        if value.startswith("{"):
            return " ".join(f"{option} {key}={each}" for key, each in _PAIR.findall(value))
        return option if value in ("True", "...", "…") else f"{option} {value}"

    def _domain(self, found: re.Match[str], message: str) -> str:
        """A domain as it was typed, for the column that the message names if several have the same one."""
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
        """All texts that were typed, each with its parameter."""
        for name, given in self.typed.items():
            several = given if isinstance(given, Sequence) and not isinstance(given, str) else [given]
            yield from ((name, each) for each in several if isinstance(each, str))


def _named(column: str, message: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(column)}(?!\w)", message) is not None


def _ends(text: str) -> list[float] | None:
    """The numbers of ``name=low:high``, ``low:high`` or a period, if it is one of these."""
    try:
        return [float(end) for end in text.rpartition("=")[2].split(":")]
    except ValueError:
        return None


_SPOKEN: ContextVar[OptionWords | None] = ContextVar("_SPOKEN", default=None)


@contextmanager
def words_of(options: Mapping[str, str], typed: Mapping[str, Any]) -> Iterator[None]:
    """Within this, notices are spelled for a verb, and refusals that leave it are."""
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
    """Return a message in the words of the verb at work; as it is, if there is none."""
    words = _SPOKEN.get()
    return message if words is None else words.spell(message)


TYPED: Final = "noisewright.typed"
"""Where a context keeps the words after the verb as they were typed."""

STARTED: Final = "noisewright.started"
"""Where a context keeps the moment at which the verb began."""

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
        try:
            return super().parse_args(ctx, args)
        except BadParameter as refusal:  # numbers are read by a library, which words its own refusals
            if re.search(r"valid (number|float)", refusal.message):
                refusal.message = "a number is typed as 30, 0.5 or 1e-5"
            raise

    def invoke(self, ctx: Any) -> Any:
        """Run the verb; what it says and refuses names options and not the parameters of Python."""
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
        """An argument is its name, once in brackets if it is optional: READINGS, not {READINGS}; [ROWS]."""
        odd = re.compile(r"[{}]|(?<=\[)\[|\](?=\])")
        return [odd.sub("", piece) for piece in super().collect_usage_pieces(ctx)]


class Verbs(TyperGroup):
    """The class of a verb that has verbs under it."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        _refuse_repeats(self, ctx, args)
        return super().parse_args(ctx, args)


def _refuse_repeats(command: Any, ctx: Any, args: list[str]) -> None:
    """Refuse an option given twice where only one can be used; typer would take the last."""
    if ctx.resilient_parsing:  # a shell completes a line that nobody has finished
        return
    order = command.make_parser(ctx).parse_args(list(args))[2]
    for option in order:
        single = isinstance(option, TyperOption) and not (option.multiple or option.is_flag)
        if single and sum(other is option for other in order) > 1:
            raise InvalidParameter(f"{option.opts[0]} is given twice, but only one can be used")
