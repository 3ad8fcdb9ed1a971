"""The advisor against a grid of plans, and against the cases of tables A.2 and A.3.

    python -m benchmarks.learning advice [--repetitions 60]

Every plan is played through: clients, noise, feedback, mixture (linear rules without an intercept; trained
ones by least squares). Accuracies are on unrandomized records. "best" is the plan and cut-off of the grid
that did best in the even repetitions, with its accuracy in the odd ones, so that hindsight gains nothing;
"behind" is how far the advice falls behind it in those, with the standard error of that difference.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from scipy.special import expit

from noisewright.domains import Floats
from noisewright.learn.advisor import advise
from noisewright.learn.ensemble import Plan
from noisewright.learn.functional.basis import BSplineBasis
from noisewright.learn.functional.features import Projection
from noisewright.learn.functional.simulation import single_server

Records = tuple[Floats, Floats]
World = Callable[[int, np.random.Generator], Records]

EPSILONS = (0.5, 1.0, 3.0, 10.0, 30.0)
CUTOFFS = (0.5, 0.6, 0.8)
PEOPLE, TESTED, POOL = 3000, 2000, 50_000
CURVES_BEST = 0.86
"""What the best linear rule without an intercept reaches on the squashed coefficients of the curves."""

CASES = (  # tables A.2 and A.3, numbered from 1
    Plan(25, 500, 100, 2500),
    Plan(50, 500, 100, 5000),
    Plan(50, 500, 50, 5000),
    Plan(50, 500, 100, 2500),
    Plan(50, 500, 50, 2500),
    Plan(50, 2500, 250, 2500),
    Plan(50, 5000, 500, 2500),
    Plan(50, 2500, 250, 5000),
)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print two tables: against a grid of plans, and against the published cases."""
    options = argparse.ArgumentParser(
        prog="python -m benchmarks.learning advice",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    options.add_argument("--repetitions", type=int, default=60, help="collections of each plan")
    repetitions = options.parse_args(arguments).repetitions
    people = curves()
    print(f"{'people':<20}{'ε':>5}{'advice':>8}{'model':>8}{'best':>8}{'behind':>17}   the best plan")
    for name, world, width, best in [("curves (section 6)", people, 4, CURVES_BEST), *boxes()]:
        for epsilon in EPSILONS:
            print(f"{name:<20}{against_grid(world, width, best, epsilon, repetitions)}", flush=True)
    print(f"\n{'curves':<8}{'people':>7}" + "".join(f"{f'ε = {epsilon:g}':>17}" for epsilon in EPSILONS))
    for number, plan in enumerate(CASES, start=1):
        print(f"case {number:<3}{against_case(people, plan, repetitions)}", flush=True)
    print("each pair: the case with cut-off 0.6, and the advice for as many people")


def curves() -> World:
    """The simulated curves of section 6: tanh of four B-spline coefficients, from a pool drawn once."""
    sample = single_server().draw(POOL, np.random.default_rng(1))
    units = np.tanh(Projection(BSplineBasis(4), sample.grid).coefficients(sample.curves))
    signs = np.asarray(2.0 * sample.labels - 1, dtype=np.float64)

    def draw(people: int, random: np.random.Generator) -> Records:
        places = random.integers(POOL, size=people)
        return units[places], signs[places]

    return draw


def boxes() -> Iterator[tuple[str, World, int, float]]:
    """Name, people, width, and the best accuracy, of three artificial worlds."""
    for width in (4, 10, 20):
        yield f"box of {width} columns", box(width, 0.85), width, 0.85


def box(width: int, accuracy: float) -> World:
    """Uniform records whose label is the side of a plane, in a share ``accuracy`` of them."""

    def draw(people: int, random: np.random.Generator) -> Records:
        units = random.uniform(-1, 1, (people, width))
        side = np.sign(units.sum(axis=1))
        return units, np.where(random.random(people) < accuracy, side, -side)

    return draw


def against_grid(world: World, width: int, best: float, epsilon: float, repetitions: int) -> str:
    """The advice, what the model expected of it, and the best plan of the grid."""
    advice = advise(PEOPLE, width, epsilon, best_accuracy=best)
    ours = accuracies(world, advice, epsilon, repetitions)[:, 0]
    plans = list(grid(width))
    found = np.stack([accuracies(world, plan, epsilon, repetitions) for plan in plans])
    which, cut = np.unravel_index(found[:, ::2].mean(axis=1).argmax(), (len(plans), len(CUTOFFS)))
    behind = found[which, 1::2, cut] - ours[1::2]
    error = behind.std() / np.sqrt(len(behind))
    plan = plans[which]
    described = f"{plan.training} train on {plan.subset}, {plan.weak} rules, cut-off {CUTOFFS[cut]:g}"
    numbers = f"{ours.mean():>8.4f}{advice.accuracy:>8.4f}{found[which, 1::2, cut].mean():>8.4f}"
    return f"{epsilon:>5g}{numbers}{behind.mean():>9.4f} ± {error:.4f}   {described}"


def grid(width: int) -> Iterator[Plan]:
    """Plans for all people: untrained, and trained on several shares."""
    for weak in (10, 50, 250):
        yield Plan(weak, 0, 0, PEOPLE)
    for training in (500, 1500, 2500):
        yield Plan(50, training, max(training // 10, 2 * width + 10), PEOPLE - training)
        yield Plan(1, training, training, PEOPLE - training)


def against_case(world: World, plan: Plan, repetitions: int) -> str:
    """A published case and the advice, at every ε."""
    people, pairs = plan.training + plan.evaluation, ""
    for epsilon in EPSILONS:
        advice = advise(people, 4, epsilon, best_accuracy=CURVES_BEST)
        published = accuracies(world, plan, epsilon, repetitions)[:, CUTOFFS.index(0.6)].mean()
        ours = accuracies(world, advice, epsilon, repetitions)[:, 0].mean()
        pairs += f"{published:>10.4f}{ours:>7.4f}"
    return f"{people:>7}{pairs}"


def accuracies(world: World, plan: Plan, epsilon: float, repetitions: int) -> Floats:
    """The accuracy of a plan with each cut-off (column) in each repetition (row)."""
    return np.array([played(world, plan, epsilon, seed) for seed in range(repetitions)])


def played(world: World, plan: Plan, epsilon: float, seed: int) -> list[float]:
    """One collection: noisy records, rules, feedback, and the mixtures' accuracies on new records."""
    random = np.random.default_rng(seed)
    units, signs = world(TESTED, random)
    rules = weak_rules(world(plan.training, random), plan, epsilon, random, units.shape[1])
    lean = feedback(world, rules, plan.evaluation // plan.weak, epsilon, random)
    found = []
    for cutoff in CUTOFFS:
        weights = np.sign(lean) * np.maximum(np.abs(lean) - (cutoff - 0.5), 0)
        mixed = (weights if weights.any() else lean) @ rules
        found.append(float((np.sign(units @ mixed) == signs).mean()))
    return found


def weak_rules(
    records: Records, plan: Plan, epsilon: float, random: np.random.Generator, width: int
) -> Floats:
    """Unit directions: random ones, or least squares on subsets of noisy records."""
    rules = random.normal(size=(plan.weak, width))
    if plan.training:
        noisy = records[0] + random.laplace(0, 2 * (width + 1) / epsilon, records[0].shape)
        said = np.where(random.random(plan.training) < expit(epsilon / (width + 1)), records[1], -records[1])
        for place in range(plan.weak):
            chosen = random.permutation(plan.training)[: plan.subset]
            rules[place] = np.linalg.solve(noisy[chosen].T @ noisy[chosen], said[chosen] @ noisy[chosen])
    return np.asarray(rules / np.linalg.norm(rules, axis=1, keepdims=True))


def feedback(world: World, rules: Floats, people: int, epsilon: float, random: np.random.Generator) -> Floats:
    """The estimated advantage of each rule over a coin, from so many people each."""
    weak, width = rules.shape
    units, signs = world(weak * people, random)
    scores = (units.reshape(weak, people, width) @ rules[:, :, None])[:, :, 0]
    right = np.sign(scores) == signs.reshape(weak, people)
    said = np.where(random.random(right.shape) < expit(epsilon), right, ~right).mean(axis=1)
    return np.asarray((said - 0.5) / np.tanh(epsilon / 2))


if __name__ == "__main__":
    main()
