"""How many clients should train, how many evaluate, and how many weak rules: advice from public numbers.

The answer depends on how many people there are, how wide a record is and on ε, never on data: it can be fixed
before anybody is asked, and costs no budget. ``model.py`` says what accuracy each plan may expect;
the advisor takes the best plan of a grid, and of plans that are as good the plainest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from noisewright.errors import InvalidParameter
from noisewright.learn.advisor.model import Allocation, Setting, expected_accuracy
from noisewright.parameters import whole

SHARES = (0.0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
"""Shares of the people who train."""

SUBSETS = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
"""Shares of the noisy records that one rule is trained on."""

WEAK = (1, 2, 5, 10, 20, 30, 50, 75, 100, 150, 200, 300, 500)
"""Numbers of weak rules."""

RANDOM, TRAINED = "random", "trained"
CUTOFF = 0.5
CLOSE = 0.01
"""Plans whose advantages over a coin differ by this share are as good: more the model cannot tell."""

FEWEST = 4
MOST = 10**9


@dataclass(frozen=True)
class Advice:
    """A plan with the reasons for it; with more than two classes, for each of the one-against-rest problems.

    ``training`` clients send noisy records and each of ``weak`` rules is trained on ``subset`` of them;
    with ``base`` "random" nobody trains and rules are random directions. ``evaluation`` clients give
    feedback, ``people_per_rule`` to each rule; rules enter the mixture from an accuracy of ``cutoff`` on.
    ``accuracy`` is what the model expects if the guesses in ``setting`` are right.
    """

    base: str
    training: int
    subset: int
    evaluation: int
    weak: int
    people_per_rule: int
    cutoff: float
    accuracy: float
    setting: Setting
    reasons: tuple[str, ...]

    @property
    def people(self) -> int:
        """All clients of the plan."""
        return self.training + self.evaluation

    def parameters(self, base: str = "svm") -> dict[str, Any]:
        """The advice as parameters of ``MRMA``, with ``base`` for rules that are to be trained.

        It has work for all clients, so nobody is left to check the result: advise on fewer people for that.
        """
        counts = {"weak": self.weak, "cutoff": self.cutoff, "intercept": False, "check": 0.0}
        if not self.training:
            return {"base": RANDOM, **counts}
        return {"base": base, "training": self.training, "subset": self.subset, **counts}

    def explain(self) -> str:
        """The advice in sentences."""
        who = f"Let {self.training:,} of {self.people:,} clients send noisy records (each rule trained on "
        start = (
            f"{who}{self.subset:,}) and {self.evaluation:,} give feedback"
            if self.training
            else f"Let all {self.people:,} clients give feedback on random directions"
        )
        plan = f"{start}: {self.weak} rules, {self.people_per_rule} people each, cut-off {self.cutoff:g}."
        return " ".join([plan, *self.reasons])

    def plot(self, axes: Any = None) -> Any:
        """Draw the best expected accuracy against the share of clients who train; returns the axes."""
        from noisewright.mechanisms.drawing import new_axes  # noqa: PLC0415  (matplotlib is an extra)

        axes = axes if axes is not None else new_axes()
        shares = [share for share in SHARES if any(_plans(self.people, share, self.setting.width))]
        best = [max(each[0] for each in _tried(self.people, share, self.setting)) for share in shares]
        axes.plot(shares, best, marker="o", markersize=3.5)
        axes.axvline(self.training / self.people, linestyle=":", color="grey")
        axes.set_xlabel("share of clients who send noisy records")
        axes.set_ylabel("expected accuracy of the mixed rule")
        return axes


def advise(
    people: int, width: int, epsilon: float, classes: int = 2, *, best_accuracy: float = 0.8
) -> Advice:
    """Advise on the numbers of MRMA for so many clients, unit columns, a budget and a number of classes.

    ``best_accuracy`` is a guess at what a linear rule could reach without noise; it moves the number of
    rules, and hardly who trains. The advice is for rules without an intercept: one that is fitted to noisy
    records swamps the slopes.

    >>> advice = advise(people=3000, width=4, epsilon=1.0)
    >>> advice.base, advice.training, advice.weak, advice.people_per_rule, advice.cutoff
    ('random', 0, 200, 15, 0.5)
    >>> advise(people=3000, width=4, epsilon=30.0).base
    'trained'
    """
    setting = Setting(width, epsilon, best_accuracy)
    problems = 1 if whole("classes", classes, 2, 10_000) == 2 else classes
    group = whole("people", people, 1, MOST) // problems
    if group < FEWEST:
        raise InvalidParameter(
            f"people must be at least {FEWEST} for each of {problems} yes-or-no problems, got {people}"
        )
    return _advice(group, setting, problems)


def _advice(people: int, setting: Setting, problems: int) -> Advice:
    tried = [each for share in SHARES for each in _tried(people, share, setting)]
    trained = max((accuracy for accuracy, plan in tried if plan.training), default=0.5)
    untrained = max(accuracy for accuracy, plan in tried if not plan.training)
    as_good = [each for each in tried if _as_good(each[0], max(trained, untrained))]
    # Of plans as good, the one with the fewest noisy records, and of these the one with the fewest rules.
    accuracy, plan = min(as_good, key=lambda each: (each[1].training, each[1].weak, -each[1].subset))
    return Advice(
        base=TRAINED if plan.training else RANDOM,
        training=plan.training,
        subset=plan.subset,
        evaluation=plan.evaluation,
        weak=plan.weak,
        people_per_rule=plan.evaluation // plan.weak,
        cutoff=CUTOFF,
        accuracy=accuracy,
        setting=setting,
        reasons=(
            _who_trains(trained, untrained, setting),
            *_how_many(plan),
            *_how_well(accuracy, setting, problems),
        ),
    )


def _tried(people: int, share: float, setting: Setting) -> Iterator[tuple[float, Allocation]]:
    """Plans with a share of the people in training, each with its expected accuracy."""
    for plan in _plans(people, share, setting.width):
        yield expected_accuracy(plan, setting, CUTOFF), plan


def _plans(people: int, share: float, width: int) -> Iterator[Allocation]:
    training = round(share * people)
    evaluation = people - training
    subsets = {max(round(part * training), 2 * (width + 1)) for part in SUBSETS} if training else {0}
    for subset in sorted(subsets):
        if subset <= training:
            yield from (
                Allocation(training, subset, evaluation, weak) for weak in WEAK if 2 * weak <= evaluation
            )


def _as_good(accuracy: float, best: float) -> bool:
    """Whether an accuracy is as good as the best, for all that the model can tell."""
    return accuracy - 0.5 >= (best - 0.5) * (1 - CLOSE)


def _who_trains(trained: float, untrained: float, setting: Setting) -> str:
    """Why rules are trained, or not."""
    told = f"accuracy {trained:.3f} with trained rules, {untrained:.3f} with random directions"
    if _as_good(untrained, trained):
        return (
            f"Noise swamps trained rules: a coordinate of one noisy record has the standard deviation "
            f"{setting.report_variance**0.5:.3g}, its tie to the label is {setting.signal:.2g} (expected "
            f"{told})."
        )
    return f"Training pays at this ε (expected {told})."


def _how_many(plan: Allocation) -> Iterator[str]:
    """Why so many rules, and why the cut-off is what it is."""
    if plan.weak > 1:
        yield (
            "More rules with fewer people each would hardly gain: what counts is how many people give "
            "feedback in all."
        )
        yield "Each rule counts by its estimated advantage over a coin; a higher cut-off only adds noise."


def _how_well(accuracy: float, setting: Setting, problems: int) -> Iterator[str]:
    """What to expect, if the guess at the best accuracy is right."""
    yield f"If the best linear rule has accuracy {setting.best_accuracy:g}, expect {accuracy:.3f}."
    if accuracy < 0.5 + setting.advantage / 2:
        yield "That is less than half of what could be had: ask more people, or fewer features."
    if problems > 1:
        yield f"The numbers are for each of {problems} one-against-rest problems, with clients of its own."
