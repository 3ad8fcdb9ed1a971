"""How many clients should train, how many evaluate, and how many weak rules: advice from public numbers.

The answer depends on how many people there are, how wide a record is and on ε, never on data: it can be fixed
before anybody is asked, and costs no budget. A model says what accuracy each plan may expect;
the advisor takes the best plan of a grid, and of equally good plans the simplest.

**Features.** Unit columns of standard deviation v in d directions of equal weight; the label is the side of
one direction u, right with probability ½ + a. A rule of direction w at angle θ to u then has the accuracy
½ + a(1 − 2θ/π), to first order ½ + b·cos θ with b = 2a/π.

**Trained rules.** A rule trained on n₀ of N₀ noisy records points, to first order, along their mean of label
times report, x = M + D, with M normal around m·u with variance S/N₀ a coordinate (shared by all rules) and
D normal around 0 with variance t² = S(1/n₀ − 1/N₀). Here S = v² + 2λ², λ = 2(d+1)/ε, is the variance of a
coordinate with Laplace noise, and m = 2a·v·√(2/π)·tanh(ε/(2d+2)) its remaining link to the label. An
untrained rule has M = 0 and any t: both are one formula.

**Feedback** of n₁ = N₁/B people adds an error of variance σ² = ((e^ε+1)/(e^ε−1))²/(4n₁) to b·cos θ (Qin and
Bai 2026, thm 3). With weights r̃ − ½ the mixed direction is

    along u        (b/ℓ)(M_u² + t²),                                  ℓ² = E|x|² = E M_u² + S(d−1)/N₀ + t²·d
    across, each   variance (b/ℓ)²·M_u²·S/N₀ + [t²(σ² + b²(M_u²+t²)/ℓ²) + (S/N₀)(σ² + b²t²/ℓ²)] / B

and the accuracy follows from the angle. σ²/B depends on N₁ only: **more rules with fewer people each cost
nothing** and lower the rest.

**A cut-off** r₀ > ½ thresholds the estimates x = r̃ − ½ by g(x) = sign(x)(|x| − r₀ + ½)₊. For normal x the
signal is multiplied by E g′(x) and the noise by E g²(x)/E x², and by Stein's identity and Cauchy and Schwarz
(E g′)² ≤ E g²/E x²: **no cut-off beats ½** as long as rules are draws of one kind.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from noisewright.errors import InvalidParameter
from noisewright.learn.ensemble import Plan
from noisewright.learn.questions.feedback import response
from noisewright.parameters import EPSILON, real, whole

UNIFORM_SPREAD = 3**-0.5
"""The standard deviation of a unit column whose values are spread evenly."""

_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(48)
_CHANCES = _WEIGHTS / _WEIGHTS.sum()


@dataclass(frozen=True)
class Setting:
    """Public knowledge and guesses about a learning task with two classes.

    ``best_accuracy`` is what the best linear rule might reach; ``spread`` the standard deviation of a
    unit column.

    >>> Setting(width=4, epsilon=1.0).signal_to_noise < 1e-5    # of one noisy record
    True
    """

    width: int
    epsilon: float
    best_accuracy: float = 0.8
    spread: float = UNIFORM_SPREAD

    def __post_init__(self) -> None:
        whole("width", self.width, 1, 10_000)
        EPSILON.check(self.epsilon)
        if not 0.5 < real("best_accuracy", self.best_accuracy) <= 1:
            raise InvalidParameter(
                f"must be above 0.5 and at most 1, got {self.best_accuracy!r}", field="best_accuracy"
            )
        if not 0 < real("spread", self.spread) <= 1:
            raise InvalidParameter(f"must be above 0 and at most 1, got {self.spread!r}", field="spread")

    @property
    def advantage(self) -> float:
        """How much better than a coin the best rule is."""
        return self.best_accuracy - 0.5

    @property
    def slope(self) -> float:
        """Accuracy per cosine of the angle to the best rule."""
        return 2 * self.advantage / math.pi

    @property
    def report_variance(self) -> float:
        """The variance of one coordinate of a noisy record."""
        return self.spread**2 + 2 * (2 * (self.width + 1) / self.epsilon) ** 2

    @property
    def signal(self) -> float:
        """The mean of label times report along the best direction."""
        label_kept = math.tanh(self.epsilon / (2 * self.width + 2))
        return 2 * self.advantage * self.spread * math.sqrt(2 / math.pi) * label_kept

    @property
    def signal_to_noise(self) -> float:
        """How much one noisy record reveals about the best direction."""
        return self.signal**2 / self.report_variance


def expected_accuracy(plan: Plan, setting: Setting, cutoff: float = 0.5) -> float:
    """Return how often the mixed rule of a plan is right, according to the model.

    >>> round(expected_accuracy(Plan(250, training=0, subset=0, evaluation=3000), Setting(4, 1.0)), 2)
    0.73
    """
    along, across = _mixture(plan, setting, cutoff)
    ratio = along / math.sqrt(across) if across > 0 else math.inf
    return 0.5 + setting.advantage * (1 - 2 * _mean_angle(ratio, setting.width) / math.pi)


def _mixture(plan: Plan, setting: Setting, cutoff: float) -> tuple[float, float]:
    """Return the mixed direction along the best one, and its variance in each direction across."""
    one_answer = 0.25 / (2 * response(setting.epsilon).hit - 1) ** 2  # its variance at accuracy ½
    noise, shared, own, signal = one_answer * plan.weak / plan.evaluation, 0.0, 1.0, 0.0
    if plan.training:
        shared = setting.report_variance / plan.training
        own = setting.report_variance * (1 / plan.subset - 1 / plan.training)
        signal = setting.signal**2 + shared
    length = signal + shared * (setting.width - 1) + own * setting.width
    tie = setting.slope**2 / length
    mean_kept, square_kept = _thresholded(cutoff, math.sqrt(noise + tie * (signal + own)), plan.weak)
    chance = own * (noise + tie * (signal + own)) + shared * (noise + tie * own)
    along = mean_kept * math.sqrt(tie) * (signal + own)
    return along, mean_kept**2 * tie * signal * shared + square_kept * chance / plan.weak


def _thresholded(cutoff: float, spread: float, weak: int) -> tuple[float, float]:
    """Return what a cut-off leaves of signal and noise; 1 and 1 if it leaves no rule and is lowered to ½."""
    far = (cutoff - 0.5) / spread
    beyond = math.erfc(far / math.sqrt(2))
    if far <= 0 or beyond * weak < 1:
        return 1.0, 1.0
    density = math.exp(-far * far / 2) / math.sqrt(2 * math.pi)
    return beyond, (1 + far * far) * beyond - 2 * far * density


def _mean_angle(ratio: float, width: int) -> float:
    """Return the mean angle between u and ratio·u + a normal vector whose part across has its mean length."""
    if math.isinf(ratio):
        return 0.0
    if width == 1:  # only the sign can be wrong
        return math.pi * math.erfc(ratio / math.sqrt(2)) / 2
    across = math.sqrt(2) * math.exp(math.lgamma(width / 2) - math.lgamma((width - 1) / 2))
    return float(_CHANCES @ np.arctan2(across, ratio + _NODES))


SHARES = (0.0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
"""Shares of the people who train."""

SUBSETS = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
"""Shares of the noisy records that one rule is trained on."""

WEAK = (1, 2, 5, 10, 20, 30, 50, 75, 100, 150, 200, 300, 500)
"""Numbers of weak rules."""

RANDOM, TRAINED = "random", "trained"
CUTOFF = 0.5
CLOSE = 0.01
"""Plans whose advantages over a coin differ by at most this share count as equal: the model is no finer."""

FEWEST = 4
MOST = 10**9


@dataclass(frozen=True, kw_only=True)
class Advice(Plan):
    """A plan with the reasons for it; with more than two classes, for each of the one-against-rest problems.

    With ``base`` "random" nobody trains and rules are random directions. Rules enter the mixture from an
    accuracy of ``cutoff`` on. ``accuracy`` is what the model expects if the guesses in ``setting`` are right.
    """

    accuracy: float
    setting: Setting
    reasons: tuple[str, ...]
    cutoff: float = CUTOFF

    @property
    def base(self) -> str:
        """Whether rules are "trained" on noisy records or "random" directions."""
        return TRAINED if self.training else RANDOM

    @property
    def people_per_rule(self) -> int:
        """How many clients give feedback on each rule."""
        return self.evaluation // self.weak

    def parameters(self, base: str = "svm") -> dict[str, Any]:
        """Return the advice as parameters of ``MRMA``, with ``base`` for rules that are to be trained.

        It has work for all clients, so nobody is left to check the result: advise on fewer people for that.
        """
        counts = {"weak": self.weak, "cutoff": self.cutoff, "intercept": False, "check": 0.0}
        if not self.training:
            return {"base": RANDOM, **counts}
        return {"base": base, "training": self.training, "subset": self.subset, **counts}

    def explain(self) -> str:
        """Return the advice in sentences."""
        who = f"Let {self.training:,} of {self.people:,} clients send noisy records (each rule trained on "
        start = (
            f"{who}{self.subset:,}) and {self.evaluation:,} give feedback"
            if self.training
            else f"Let all {self.people:,} clients give feedback on random directions"
        )
        plan = f"{start}: {self.weak} rules, {self.people_per_rule} people each, cut-off {self.cutoff:g}."
        return " ".join([plan, *self.reasons])


def advise(
    people: int, width: int, epsilon: float, classes: int = 2, *, best_accuracy: float = 0.8
) -> Advice:
    """Advise on the numbers of MRMA, given clients, unit columns, a budget and a number of classes.

    The advice is for rules without an intercept: one that is fitted to noisy records swamps the slopes.

    Args:
        people: Number of clients.
        width: Number of unit columns of a record.
        epsilon: What every client spends.
        classes: Number of classes; more than two are learned one against the rest.
        best_accuracy: A guess at what a linear rule could reach without noise, above 0.5; it moves the number
            of rules, and hardly who trains.

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
            f"must be at least {FEWEST} for each of {problems} yes-or-no problems, got {people}",
            field="people",
        )
    return _advice(group, setting, problems)


def _advice(people: int, setting: Setting, problems: int) -> Advice:
    tried = [each for share in SHARES for each in _tried(people, share, setting)]
    trained = max((accuracy for accuracy, plan in tried if plan.training), default=0.5)
    untrained = max(accuracy for accuracy, plan in tried if not plan.training)
    as_good = [each for each in tried if _as_good(each[0], max(trained, untrained))]
    # Of equally good plans, the one with the fewest noisy records, and of these the fewest rules.
    accuracy, plan = min(as_good, key=lambda each: (each[1].training, each[1].weak, -each[1].subset))
    reasons = (
        _who_trains(trained, untrained, setting),
        *_how_many(plan),
        *_how_well(accuracy, setting, problems),
    )
    return Advice(**vars(plan), accuracy=accuracy, setting=setting, reasons=reasons)


def _tried(people: int, share: float, setting: Setting) -> Iterator[tuple[float, Plan]]:
    """Yield plans with a share of the people in training, each with its expected accuracy."""
    training, least = round(share * people), 2 * (setting.width + 1)
    subsets = {max(round(part * training), least) for part in SUBSETS} if training else {0}
    for subset in sorted(subsets):
        for weak in WEAK:
            if subset <= training and 2 * weak <= people - training:
                plan = Plan(weak, training, subset, people - training)
                yield expected_accuracy(plan, setting, CUTOFF), plan


def _as_good(accuracy: float, best: float) -> bool:
    """Return whether an accuracy is as good as the best, within the precision of the model."""
    return accuracy - 0.5 >= (best - 0.5) * (1 - CLOSE)


def _who_trains(trained: float, untrained: float, setting: Setting) -> str:
    """Explain why rules are trained, or not."""
    expected = f"accuracy {trained:.3f} with trained rules, {untrained:.3f} with random directions"
    if _as_good(untrained, trained):
        return (
            f"Noise swamps trained rules: a coordinate of one noisy record has the standard deviation "
            f"{setting.report_variance**0.5:.3g}, its link to the label is {setting.signal:.2g} (expected "
            f"{expected})."
        )
    return f"Training pays at this ε (expected {expected})."


def _how_many(plan: Plan) -> Iterator[str]:
    """Explain the number of rules, and the cut-off."""
    if plan.weak > 1:
        yield (
            "More rules with fewer people each would hardly gain: what counts is how many people give "
            "feedback in all."
        )
        yield "Each rule counts by its estimated advantage over a coin; a higher cut-off only adds noise."


def _how_well(accuracy: float, setting: Setting, problems: int) -> Iterator[str]:
    """State what to expect, if the guess at the best accuracy is right."""
    yield f"If the best linear rule has accuracy {setting.best_accuracy:g}, expect {accuracy:.3f}."
    if accuracy < 0.5 + setting.advantage / 2:
        yield "That is less than half of what is possible: ask more people, or fewer features."
    if problems > 1:
        yield f"The numbers are for each of {problems} one-against-rest problems, with clients of its own."
