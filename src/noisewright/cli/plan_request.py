"""The options of ``noisewright plan``, checked, and the plan that they ask for."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final, Self

from noisewright.cli.columns import (
    ANY_DOMAIN,
    read_budgets,
    read_categories,
    read_domains,
    read_numbers,
    read_protocols,
)
from noisewright.cli.estimate import SHARES, read_shares
from noisewright.cli.options import about, assignment, named, once, read_number, read_whole
from noisewright.design.expected_reports import read_shape
from noisewright.design.headcount import MOST_PEOPLE
from noisewright.design.plan import WORST, plan_column
from noisewright.domains import Bins, Categories, FiniteDomain
from noisewright.domains.finite import MOST_LABELS
from noisewright.errors import InvalidParameter
from noisewright.estimate.distributions import MOST_BINS
from noisewright.mechanisms import Mechanism, best_oracle
from noisewright.parameters import whole
from noisewright.survey.plan import Plan, PlannedModel, Question

PAIR: Final = "--pair wants the names of two columns of labels or bins, for example --pair smokes,region"
GRID: Final = "--grid wants columns x rows, for example 8x8, or name=8x8"
GUESS: Final = "--guess is worst, or name=shares that sum to one, for example age=0.2,0.5,0.3"
WIDTHS: Final = "--width is a number for shares, or name=number for the mean of a column, for example age=2"
FEATURES: Final = "--model wants a number of features, for example 8"
MODEL: Final = "model"
MAP: Final = "map"


@dataclass(frozen=True)
class PlanRequest:
    """A request for a plan, checked before anything is computed."""

    people: int
    mechanisms: Mapping[str, Mechanism]
    notes: Mapping[str, tuple[str, str]]
    kinds: Mapping[str, str]
    guesses: Mapping[str, Sequence[float] | str]
    widths: Mapping[str, float]
    share_width: float | None
    quantiles: tuple[float, ...]
    histogram: int
    level: float
    model: tuple[int, float, float, float | None] | None

    @classmethod
    def of(
        cls, *, people: int, epsilon: Sequence[str], interval: Sequence[str], integers: Sequence[str],
        circle: Sequence[str], categories: Sequence[str], pair: Sequence[str], grid: Sequence[str],
        model: str | None, purpose: Sequence[str], bins: Sequence[str], mechanism: Sequence[str],
        protocol: Sequence[str], guess: Sequence[str], width: Sequence[str], accuracy: float | None,
        best_accuracy: float, histogram: int, quantile: str, level: float,
    ) -> Self:  # fmt: skip
        """Read the options of the command line."""
        whole("--people", people, 2, MOST_PEOPLE)
        whole("--histogram", histogram, 2, MOST_BINS)
        shares = read_shares(quantile)
        if not all(0 < share < 1 for share in shares):
            raise InvalidParameter(f"{SHARES}; got {quantile!r}")
        numbers, labels = read_domains(interval, circle, integers), read_categories(categories)
        once([(name, None) for name in (*numbers, *labels)], ANY_DOMAIN)
        pairs, maps = _pairs(pair, [*numbers, *labels]), _grids(grid)
        alone = [name for name in (*numbers, *labels) if name not in {each for two in pairs for each in two}]
        asked = [*alone, *(_pair_name(two) for two in pairs), *maps, *([MODEL] if model is not None else [])]
        if not asked:
            raise InvalidParameter(f"nothing to plan: name a column with {ANY_DOMAIN}, or --grid or --model")
        once([(name, None) for name in asked], "the questions")
        budgets = read_budgets(_for_questions(epsilon, "--epsilon", asked, pairs), asked)
        # only the labels of a pair's columns matter, so any budget will do
        every = {name: budgets.get(name, 1.0) for name in (*numbers, *labels)}
        measured, chosen = read_numbers(mechanism, purpose, bins, numbers, every)
        coded, choices = read_protocols(protocol, labels, every)
        reasons = {name: each.reason for name, each in chosen.items()}
        reasons |= {name: choice.reason.removesuffix(".") for name, choice in choices.items()}
        mechanisms = {name: (measured | coded)[name] for name in alone}
        notes = {name: (_about(mechanisms[name]), reasons.get(name, "")) for name in alone}
        for two in pairs:
            _add_question(_pair_name(two), _product(two, measured | coded), budgets, mechanisms, notes)
        for name, (across, down) in maps.items():
            _add_question(name, Categories(range(across * down)), budgets, mechanisms, notes)
            notes[name] = (f"a cell of a grid of {across} x {down}", notes[name][1])
        kinds = dict.fromkeys(maps, "cell") | {_pair_name(two): "pair" for two in pairs}
        widths, share_width = _widths(_for_questions(width, "--width", asked, pairs), mechanisms)
        every_mechanism = (measured | coded).items()
        sizes = {
            name: len(each.domain) for name, each in every_mechanism if isinstance(each.domain, FiniteDomain)
        }
        return cls(
            people, mechanisms, notes, kinds, _guesses(guess, mechanisms, pairs, sizes), widths, share_width,
            shares, histogram, level, _model(model, budgets, best_accuracy, accuracy),
        )  # fmt: skip

    def run(self, status: Callable[[str], None] = lambda _: None) -> Plan:
        """Compute the plan."""
        questions = []
        for name, mechanism in self.mechanisms.items():
            status(name)
            labels = isinstance(mechanism.domain, FiniteDomain)
            planned = about(
                name,
                lambda mechanism=mechanism, name=name, labels=labels: plan_column(
                    mechanism, self.people, guess=self.guesses.get(name), level=self.level,
                    quantiles=self.quantiles, histogram=self.histogram, width=self.widths.get(name),
                    share_width=self.widths.get(name, self.share_width) if labels else self.share_width,
                    label=self.kinds.get(name, "label"),
                ),
            )  # fmt: skip
            questions.append(Question(name, *self.notes[name], planned))
        return Plan(self.people, self.level, tuple(questions), self._classifier())

    def _classifier(self) -> PlannedModel | None:
        if self.model is None:
            return None
        from noisewright.learn.advisor import advise  # noqa: PLC0415  (scikit-learn is slow to load)

        features, epsilon, best, wanted = self.model
        found = advise(self.people, features, epsilon, best_accuracy=best)
        people = None if wanted is None else _people_for_accuracy(features, epsilon, best, wanted)
        return PlannedModel(features, epsilon, best, found.accuracy, found.explain(), wanted, people)


def _people_for_accuracy(features: int, epsilon: float, best: float, wanted: float) -> int | None:
    """Return the fewest people, to a tenth, with whom the advisor expects an accuracy."""
    from noisewright.learn.advisor import FEWEST, MOST, advise  # noqa: PLC0415  (scikit-learn is slow to load)

    low, high = FEWEST, FEWEST
    while advise(high, features, epsilon, best_accuracy=best).accuracy < wanted:
        low, high = high, 4 * high
        if high > MOST:
            return None
    while high > 1.1 * low + 1:
        middle = (low + high) // 2
        enough = advise(middle, features, epsilon, best_accuracy=best).accuracy >= wanted
        low, high = (low, middle) if enough else (middle, high)
    return high


def _model(
    text: str | None, budgets: Mapping[str, float], best: float, wanted: float | None
) -> tuple[int, float, float, float | None] | None:
    if text is None:
        if wanted is not None:
            raise InvalidParameter("--accuracy is for --model, which is not given")
        return None
    features = read_whole(text, text, FEATURES)
    if not 0.5 < best <= 1:
        raise InvalidParameter("--best-accuracy must be above 0.5 and at most 1")
    if wanted is not None and not 0.5 < wanted < best:
        raise InvalidParameter(f"--accuracy must lie between 0.5 and --best-accuracy, which is {best:g}")
    return whole("--model", features, 1, 10_000), budgets[MODEL], best, wanted


def _pairs(texts: Sequence[str], columns: Sequence[str]) -> list[tuple[str, str]]:
    found = [_pair(text, columns) for text in texts]
    once([(name, None) for two in found for name in two], "--pair")
    return found


def _pair(text: str, columns: Sequence[str]) -> tuple[str, str]:
    """Return the two columns of a pair, whose names may contain commas."""
    commas = [place for place, letter in enumerate(text) if letter == ","]
    halves = [(text[:place].strip(), text[place + 1 :].strip()) for place in commas]
    known = [two for two in halves if two[0] in columns and two[1] in columns]
    if known and known[0][0] == known[0][1]:
        raise InvalidParameter(f"--pair {text} names one column twice; {PAIR}")
    if known:
        return known[0]
    if len(halves) != 1 or not all(halves[0]):
        raise InvalidParameter(f"{PAIR}; got {text!r}")
    missing = next(name for name in halves[0] if name not in columns)
    raise InvalidParameter(
        f"--pair {text} names column {missing!r}, which has no domain; add --categories {missing}=A,B,... if "
        f"it holds labels, or --integers {missing}=LOW:HIGH and --bins {missing}=EDGES if it holds numbers"
    )


def _pair_name(two: tuple[str, str]) -> str:
    return f"{two[0]} and {two[1]}"


def _product(two: tuple[str, str], mechanisms: Mapping[str, Mechanism]) -> Categories:
    """Return all pairs of labels of two columns, as labels."""
    left, right = (mechanisms[name].domain for name in two)
    for name, domain in zip(two, (left, right), strict=True):
        if not isinstance(domain, FiniteDomain):
            raise InvalidParameter(
                f"--pair {two[0]},{two[1]} needs labels or bins, and column {name!r} holds numbers; give it "
                f"--bins {name}=EDGES, or --bins {name}=4 for four equal ones"
            )
    if len(left) * len(right) > MOST_LABELS:
        raise InvalidParameter(f"--pair {two[0]},{two[1]} has more than {MOST_LABELS:,} pairs of labels")
    return Categories(f"{one} | {other}" for one, other in product(left.labels, right.labels))


def _add_question(
    name: str,
    domain: Categories,
    budgets: Mapping[str, float],
    mechanisms: dict[str, Mechanism],
    notes: dict[str, tuple[str, str]],
) -> None:
    """Add a question with labels of its own."""
    found = about(name, best_oracle, domain, budgets[name])
    mechanisms[name] = found.mechanism
    example = shlex.quote(str(domain.labels[0]))
    said = (
        f"one of {len(domain):,} pairs of labels, to be written into one column ({example} and so on) that "
        "perturb randomizes with --categories"
    )
    notes[name] = (said, found.reason.removesuffix("."))


def _grids(texts: Sequence[str]) -> dict[str, tuple[int, int]]:
    pairs = []
    for text in texts:
        name, cells = assignment(text, GRID) if "=" in text else (MAP, text)
        across, _, down = cells.casefold().partition("x")
        if not (across.isdigit() and down.isdigit()) or not 2 <= int(across) * int(down) <= MOST_LABELS:
            raise InvalidParameter(f"{GRID}; got {text!r}")
        pairs.append((name, (int(across), int(down))))
    return once(pairs, "--grid")


def _for_questions(
    texts: Sequence[str], option: str, asked: Sequence[str], pairs: Sequence[tuple[str, str]]
) -> list[str]:
    """Return texts in which each ``name=value`` names its question.

    >>> _for_questions(["a,b=2", "3"], "--width", ["a and b"], [("a", "b")])
    ['a and b=2', '3']
    """
    parts = [text.rpartition("=") for text in texts]
    return [
        f"{_question(name, option, asked, pairs)}={value}" if equals else value
        for name, equals, value in parts
    ]


def _question(name: str, option: str, asked: Sequence[str], pairs: Sequence[tuple[str, str]]) -> str:
    """Return the question of a name, where a pair is named as by --pair; or refuse and say what to type."""
    typed = {_pair_name(two): ",".join(two) for two in pairs}
    for two in pairs:
        if name == typed[_pair_name(two)]:
            return _pair_name(two)
        if name in (*two, f"{two[1]},{two[0]}"):
            raise InvalidParameter(
                f"{option} names column {name!r}, which is asked as part of a pair; name the pair: "
                f"{option} {typed[_pair_name(two)]}=..."
            )
    if name in asked:
        return name
    listed = ", ".join(repr(typed.get(each, each)) for each in asked)
    raise InvalidParameter(
        f"{option} names column {name!r}, which is not asked; asked are {listed}, and a column is "
        f"asked by giving it {ANY_DOMAIN}"
    )


def _guesses(
    texts: Sequence[str],
    mechanisms: Mapping[str, Mechanism],
    pairs: Sequence[tuple[str, str]],
    sizes: Mapping[str, int],
) -> dict[str, Sequence[float] | str]:
    """Return the guess of each question; a pair takes one, or one for each column, taken as independent."""
    if WORST in texts:
        if len(texts) > 1:
            raise InvalidParameter(f"{GUESS}, but not both")
        return dict.fromkeys(mechanisms, WORST)
    given = {
        name: [read_number(part, shares, GUESS) for part in shares.split(",")]
        for name, shares in once([assignment(text, GUESS) for text in texts], "--guess").items()
    }
    for two in pairs:
        single = {name: given.pop(name) for name in two if name in given}
        if single and {_pair_name(two), ",".join(two)} & set(given):
            raise InvalidParameter(
                f"--guess is given for the pair {','.join(two)} and for its column {next(iter(single))!r}; "
                "give one of them"
            )
        for name, shares in single.items():
            about(name, read_shape, Categories(range(sizes[name])), shares)
        if single:
            left, right = (single.get(name) or [1 / sizes[name]] * sizes[name] for name in two)
            given[_pair_name(two)] = [one * other for one, other in product(left, right)]
    return {_question(name, "--guess", list(mechanisms), pairs): given[name] for name in given}


def _widths(
    texts: Sequence[str], mechanisms: Mapping[str, Mechanism]
) -> tuple[dict[str, float], float | None]:
    for_all = [read_number(text, text, WIDTHS) for text in texts if "=" not in text]
    if len(for_all) > 1:
        raise InvalidParameter(WIDTHS)
    given = named(
        [assignment(text, WIDTHS) for text in texts if "=" in text], list(mechanisms), "--width", "question"
    )
    widths = {name: read_number(text, text, WIDTHS) for name, text in given.items()}
    return widths, for_all[0] if for_all else None


def _about(mechanism: Mechanism) -> str:
    domain = mechanism.domain
    labels = isinstance(domain, FiniteDomain) and not isinstance(domain, Bins)
    return f"one of {len(domain):,} labels" if labels else domain.words
