"""How the texts of options are read: numbers, names, domains, endpoints, lists of labels.

A text without meaning is refused with a sentence that says what the option wants. A name ends at the *last*
``=`` of its option, or at the last ``=@`` where a file may be meant, so names of columns may contain one.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final, TypeVar

import typer

from noisewright.domains import Categories, Circle, Integers, Interval, NumericDomain
from noisewright.errors import InvalidParameter
from noisewright.parameters import EPSILON, shown

if TYPE_CHECKING:
    from noisewright.mechanisms import NumericMechanism


MARK: Final = "@"
"""The sign before the name of a file, where another name is allowed as well."""


def file_of(name: str) -> str | None:
    """Return the file after the ``@``, or None if there is no ``@``.

    >>> file_of("@mechanism.json"), file_of("ogpm")
    ('mechanism.json', None)
    """
    return name[len(MARK) :] if name.startswith(MARK) else None


WHOLE: Final = re.compile(r"[+-]?\d+(_\d+)*(\.\d+)?([eE]\+?\d{1,2})?", re.ASCII)
"""How a whole number may be typed. Commas are not allowed, since they separate the items of a list."""


def read_number(text: str, whole: str, wanted: str) -> float:
    """Return the number that a text holds; a refusal quotes the whole option and says what it wants.

    >>> read_number("71.5", "71.5", "--at wants a number")
    71.5
    """
    try:
        return float(text)
    except ValueError:
        raise InvalidParameter(f"{wanted}; got {whole!r}") from None


def read_whole(text: str, whole: str, wanted: str) -> int:
    """Return the exact whole number that a text holds; a refusal quotes the option and says what it wants.

    >>> [read_whole(text, text, "--people wants a number") for text in ("10000", "10_000", "1e4", "2.5e3")]
    [10000, 10000, 10000, 2500]
    """
    typed = text.strip()
    if len(typed) <= 40 and WHOLE.fullmatch(typed):
        number = Decimal(typed)  # a double would round numbers above 2**53
        if number == number.to_integral_value():
            return int(number)
    raise InvalidParameter(f"{wanted}; got {shown(whole)}")


def whole_option(*names: str, metavar: str = "N", **settings: Any) -> Any:
    """Declare an option that takes a whole number, typed in any of the usual ways.

    Args:
        names: The option's names, if they do not follow from the parameter's.
        metavar: The word for the number in the help.
        settings: As for ``typer.Option``.
    """
    return typer.Option(*names, metavar=metavar, parser=_whole, **settings)


def _whole(typed: Any) -> int:
    """Parse the text of an option; some versions of typer pass its default, too."""
    if isinstance(typed, int):
        return typed
    try:
        return read_whole(typed, typed, "a whole number is typed as 10000, 10_000 or 1e4")
    except InvalidParameter as refusal:
        raise typer.BadParameter(str(refusal)) from None


def read_ends(text: str, whole: str, wanted: str) -> tuple[float, float]:
    """Return the two ends of an interval, separated by a colon.

    >>> read_ends("-40:60", "temp=-40:60", "--interval wants name=low:high")
    (-40.0, 60.0)
    """
    low, _, high = text.rpartition(":")
    return read_number(low, whole, wanted), read_number(high, whole, wanted)


def read_epsilon(text: str) -> float:
    """Return one budget.

    >>> read_epsilon("2")
    2.0
    """
    try:
        number = float(text)
    except ValueError:
        return EPSILON.check(text)
    return EPSILON.check(number)


def read_at_least(option: str, value: float | None, least: float, what: str) -> None:
    """Refuse a number that is below ``least`` or not finite."""
    if value is not None and not (math.isfinite(value) and value >= least):
        raise InvalidParameter(f"{option} must be {what}; got {value:g}")


def read_list(option: str, text: str | None) -> tuple[str, ...]:
    """Return names separated by commas, each once.

    >>> read_list("--features", "age, bmi")
    ('age', 'bmi')
    """
    if text is None:
        return ()
    names = tuple(part.strip() for part in text.split(","))
    if not all(names):
        raise InvalidParameter(f"{option} wants names separated by commas; got {text!r}")
    for name in names:
        if names.count(name) > 1:
            raise InvalidParameter(f"{option} names {name!r} twice")
    return names


T = TypeVar("T")


def assignment(text: str, wanted: str) -> tuple[str, str]:
    """Return a name and its value; a refusal says what the option wants.

    >>> assignment("a=b=24", "--circle wants name=period")
    ('a=b', '24')
    """
    name, _, value = text.rpartition("=")
    if not (name and value):
        raise InvalidParameter(f"{wanted}; got {text!r}")
    return name, value


def in_file_or(text: str, wanted: str) -> tuple[str, str]:
    """Return a name and its value; if that is a file, its own name may contain a ``=``.

    >>> in_file_or("code=@lists/icd=10.txt", "--categories wants name=@file")
    ('code', '@lists/icd=10.txt')
    """
    name, _, file = text.rpartition(f"={MARK}")
    return (name, MARK + file) if name and file else assignment(text, wanted)


def once(pairs: Sequence[tuple[str, T]], option: str) -> dict[str, T]:
    """Return names with their values; refuse a name that is given twice."""
    found: dict[str, T] = {}
    for name, value in pairs:
        if name in found:
            raise InvalidParameter(f"column {name!r} is named twice by {option}")
        found[name] = value
    return found


def named(
    pairs: Sequence[tuple[str, str]], columns: Sequence[str], option: str, needed: str
) -> dict[str, str]:
    """Return values for some of the columns; refuse the name of any other column."""
    given = once(pairs, option)
    for name in given:
        if name not in columns:
            raise InvalidParameter(f"{option} names column {name!r}, which has no {needed}")
    return given


def about(name: str, build: Callable[..., T], *parts: object) -> T:
    """Build something for a column; a refusal names the column."""
    try:
        return build(*parts)
    except InvalidParameter as refusal:
        refusal.args = (f"column {name!r}: {refusal}",)
        raise


DOMAINS: Final = {
    "interval": "--interval wants low:high, for example 40:200",
    "integers": "--integers wants low:high in whole numbers, for example 0:99",
    "circle": "--circle wants a period, for example 24",
}
"""Kinds of domains of numbers, and the texts that their options want."""


def read_domain(interval: str | None, circle: str | None, integers: str | None = None) -> NumericDomain:
    """Return the one domain that was asked for.

    >>> read_domain("-40:60", None), read_domain(None, "24"), read_domain(None, None, "0:99")
    (Interval(-40.0, 60.0), Circle(24.0), Integers(0, 99))
    """
    texts = {"interval": interval, "integers": integers, "circle": circle}
    given = [(kind, text) for kind, text in texts.items() if text is not None]
    if len(given) != 1:
        raise InvalidParameter(
            "give one domain, either --interval low:high, --integers low:high or --circle period; "
            "labels have --categories"
        )
    [(kind, text)] = given
    return domain_of(kind, text, text, DOMAINS[kind])


def domain_of(kind: str, text: str, whole: str, wanted: str) -> NumericDomain:
    """Return the domain of one text; a refusal quotes the whole option and says what it wants.

    >>> domain_of("integers", "0:99", "age=0:99", "--integers wants name=low:high")
    Integers(0, 99)
    """
    if kind == "integers":
        low, _, high = text.rpartition(":")
        return Integers(read_whole(low, whole, wanted), read_whole(high, whole, wanted))
    if kind == "circle":
        return Circle(read_number(text, whole, wanted))
    return Interval(*read_ends(text, whole, wanted))


def named_domains(kind: str, texts: Iterable[str], wanted: str) -> list[tuple[str, NumericDomain]]:
    """Return columns, each with its domain.

    >>> named_domains("circle", ["a=b:c=24"], "--circle wants name=period")
    [('a=b:c', Circle(24.0))]
    """
    pairs = [(*assignment(text, wanted), text) for text in texts]
    return [(name, about(name, domain_of, kind, value, text, wanted)) for name, value, text in pairs]


def refuse_options_of_numbers(**given: object) -> None:
    """Refuse options that have no meaning beside ``--categories``."""
    for name, value in given.items():
        if value is not None:
            raise InvalidParameter(f"--{name} is for numbers; beside --categories it has no meaning")


def read_epsilons(texts: Iterable[str]) -> list[float]:
    """Return budgets separated by commas.

    >>> read_epsilons(["0.5,1", " 2"])
    [0.5, 1.0, 2.0]
    """
    wanted = f"--epsilon wants numbers {EPSILON.range}, separated by commas, for example 0.5,1,2,4"
    return [EPSILON.check(read_number(part, text, wanted)) for text in texts for part in text.split(",")]


def read_loss(text: str) -> str | float:
    """Return a loss by name, or its power.

    >>> read_loss("squared"), read_loss("1.5")
    ('squared', 1.5)
    """
    return (
        text
        if text in ("absolute", "squared")
        else read_number(text, text, "--loss is absolute, squared, or a power p")
    )


def read_delta(delta: float | None, kinds: Iterable[type[NumericMechanism]]) -> float:
    """Return the δ that was asked for, or the default; refuse one that no mechanism would use."""
    from noisewright.mechanisms.catalogue import DEFAULT_DELTA  # noqa: PLC0415  (slow to load)

    refuse_idle_delta(delta, kinds)
    return DEFAULT_DELTA if delta is None else delta


def refuse_idle_delta(delta: float | None, kinds: Iterable[type[NumericMechanism]]) -> None:
    """Refuse a δ that no mechanism would use."""
    from noisewright.mechanisms.catalogue import takes_delta  # noqa: PLC0415  (slow to load)

    if delta is not None and not any(map(takes_delta, kinds)):
        raise InvalidParameter("--delta is given, but no mechanism here takes one")


def read_headers(texts: Sequence[str] | None) -> dict[str, str]:
    """Return the headers of an endpoint, each with its environment variable.

    A text that is refused is not repeated: it may hold the value itself.

    >>> read_headers(["X-Api-Key=MY_KEY"])
    {'X-Api-Key': 'MY_KEY'}
    """
    found: dict[str, str] = {}
    for text in texts or ():
        name, equals, variable = text.partition("=")
        if not equals or not variable.isidentifier() or name in found:
            raise InvalidParameter(
                "--header wants the name of a header and that of an environment variable, once for each "
                "header: X-Api-Key=MY_KEY"
            )
        found[name] = variable
    return found


LARGEST: Final = 1 << 22
"""Bytes of the largest file of labels, which are public and never come from the data."""


def read_labels(text: str) -> Categories:
    """Return the labels of an option: separated by commas, or in the file named after an @.

    >>> read_labels("asthma,diabetes,none")
    Categories(['asthma', 'diabetes', 'none'])
    """
    file = file_of(text)
    if file is not None:
        return Categories(_in_file(file))
    return Categories(_checked((f"label {place}", each) for place, each in enumerate(text.split(","), 1)))


def one_list(text: str) -> Categories:
    """Return the labels of an option that names no column, unlike that of ``perturb``."""
    if "=@" in text:
        raise InvalidParameter(f"--categories names no column here; write @{text.split('=@', 1)[1]}")
    return read_labels(text)


def _in_file(file: str) -> list[str]:
    from noisewright.io.file_access import small_text  # noqa: PLC0415  (Arrow is slow to load)

    if not file:
        raise InvalidParameter("an @ wants the name of a file after it, for example @codes.txt")
    text = small_text(file, LARGEST, "list of labels")
    lines = text.replace("\r\n", "\n").removesuffix("\n").split("\n")
    return _checked((f"line {place} of {file}", label) for place, label in enumerate(lines, 1))


def _checked(labels: Iterable[tuple[str, str]]) -> list[str]:
    """Return the labels; a refusal says where the first bad one is."""
    found: dict[str, str] = {}
    for where, label in labels:
        if not label.strip():
            raise InvalidParameter(f"{where} is blank; a label needs at least one letter")
        if label != label.strip():
            raise InvalidParameter(f"{where} has blanks around its label; remove them, for labels are exact")
        if any(unicodedata.category(letter) == "Cc" for letter in label):
            raise InvalidParameter(
                f"{where} holds a control character; write one label a line, as plain text"
            )
        if label in found:
            raise InvalidParameter(f"{where} repeats the label of {found[label]}; name each label once")
        found[label] = where
    return list(found)
