"""Messages of Python in the words of the command line, by one rule for every verb.

Refusals are written where the parameters are: "most_loss must be a number", 'pass out_of_domain="clip"',
"lies above Interval(40.0, 200.0)". Whoever typed ``--most-loss`` is told of the option instead. A word is a
parameter if Python's own spelling marks it as one (an underscore, or ``name=value``) or if it is the subject
of a "must"; its option is the one that the verb at work declares for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Final

from noisewright.errors import NoisewrightError

OTHER_NAMES: Final = {
    "replace": "force",
    "share_width": "width",
    "share": "expected_share",
    "shares": "share_range",
    "record_numbers": "record",
    "sample": "records",
    "groups": "group",
}
"""Parameters of Python whose option has another name."""

DOMAINS: Final = {"Interval": "interval", "Integers": "integers", "Circle": "circle"}
_VALUE: Final = r"""(?P<value>"[^"]*"|'[^']*'|True|\.\.\.|…|-?\d[\d.e-]*(?<!\.))"""
_ASSIGNED: Final = re.compile(rf"(?<![\w\"'=,-])(?P<name>[a-z][a-z_]*)={_VALUE}")
_JOINED: Final = re.compile(r"(?<![\w\"'=./\\-])(?P<name>[a-z]+(?:_[a-z]+)+)(?![\w\"'=(/\\]|\.\w)")
_SUBJECT: Final = re.compile(r"(?:(?<=^)|(?<=[:;] ))(?P<name>[a-z]+)(?= must )")
_DOMAIN: Final = re.compile(r"\b(?P<kind>Interval|Integers|Circle)\((?P<ends>-?\d[^()]*)\)")
_KIND: Final = re.compile(r"(?<![\w\"'=])(?:an? )?(?P<kind>Interval|Integers|Circle)(?![\w\"'(=])")


@dataclass(frozen=True)
class OptionWords:
    """How one verb spells what Python calls otherwise.

    Attributes:
        options: the option of each parameter: ``{"most_loss": "--most-loss"}``.
        typed: what the parameters were given: ``{"integers": ["age=0:99"]}``.
    """

    options: Mapping[str, str]
    typed: Mapping[str, Any]

    def spell(self, message: str) -> str:
        """Return a message with options in place of parameters and of domains.

        >>> words = OptionWords({"most_loss": "--most-loss", "integers": "--integers", "force": "--force"},
        ...     {"integers": ["age=0:99"]})
        >>> words.spell("most_loss must be a number from 0 up, got -1")
        '--most-loss must be a number from 0 up, got -1'
        >>> words.spell("age in data row 2 lies above Integers(0, 99); pass replace=True")
        'age in data row 2 lies above --integers age=0:99; pass --force'
        """
        message = _DOMAIN.sub(lambda found: self._domain(found, message), message)
        message = _KIND.sub(lambda found: self.options.get(DOMAINS[found["kind"]], found[0]), message)
        message = _ASSIGNED.sub(self._assigned, message)
        for pattern in (_JOINED, _SUBJECT):
            message = pattern.sub(lambda found: self._option(found["name"]) or found[0], message)
        return message

    def _option(self, name: str) -> str | None:
        """The option of a parameter, if the verb has one; the name of a column is no parameter."""
        if any(text.startswith(f"{name}=") for _, text in self._texts()):
            return None
        return self.options.get(name) or self.options.get(OTHER_NAMES.get(name, ""))

    def _assigned(self, found: re.Match[str]) -> str:
        option, value = self._option(found["name"]), found["value"].strip("\"'")
        if option is None:
            return found[0]
        return option if value in ("True", "...", "…") else f"{option} {value}"

    def _domain(self, found: re.Match[str], message: str) -> str:
        """A domain as it was typed, for the column that the message names if several have the same one."""
        ends = [float(end) for end in found["ends"].split(",") if "=" not in end]
        own = DOMAINS[found["kind"]]
        others = {each for each in DOMAINS.values() if each != own}
        texts = [(name, text) for name, text in self._texts() if _ends(text) == ends and name not in others]
        about = [each for each in texts if _named(each[1].rpartition("=")[0], message)]
        for name, text in about or texts:
            if name in self.options:
                return f"{self.options[name]} {text}"
        option = self.options.get(own)
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
        message = str(refusal)
        if option := words.options.get(refusal.field):
            message = f"{option}{message.removeprefix(refusal.field)}"
        refusal.args = (words.spell(message), *refusal.args[1:])
        raise
    finally:
        _SPOKEN.reset(token)


def in_words_of_the_verb(message: str) -> str:
    """Return a message in the words of the verb at work; as it is, if there is none."""
    words = _SPOKEN.get()
    return message if words is None else words.spell(message)
