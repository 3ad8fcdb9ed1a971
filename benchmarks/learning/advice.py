"""The advisor against a grid of plans, the cases of tables A.2 and A.3 among them.

    python -m benchmarks.learning advice [--repetitions 30]

Every plan is played through: clients, noise, feedback, mixture (linear rules without an intercept; trained
ones by least squares; mixed by estimated advantage, cut-off as named). Accuracies are on unrandomized records. "best"
is the best plan of the grid, chosen with hindsight; "behind" how far the advice falls behind it.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from scipy.special import expit

from noisewright.domains import Floats
from noisewright.learn.advice_model import Allocation
from noisewright.learn.advisor import advise
from noisewright.learn.functional.basis import BSplineBasis
from noisewright.learn.functional.projection import Projection
from noisewright.learn.functional.simulation import single_server

Records = tuple[Floats, Floats]
World = Callable[[int, np.random.Generator], Records]

EPSILONS = (0.5, 1.0, 3.0, 10.0, 30.0)
PEOPLE = 3000
TESTED = 4000

CASES = {  # tables A.2 and A.3, cut-off 0.6
    "case 1": Allocation(500, 100, 2500, 25),
    "case 2": Allocation(500, 100, 5000, 50),
    "case 3": Allocation(500, 50, 5000, 50),
    "case 4": Allocation(500, 100, 2500, 50),
    "case 5": Allocation(500, 50, 2500, 50),
    "case 6": Allocation(2500, 250, 2500, 50),
    "case 7": Allocation(5000, 500, 2500, 50),
    "case 8": Allocation(2500, 250, 5000, 50),
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Print two tables: against a grid of plans, and against the published cases."""
    options = argparse.ArgumentParser(
        prog="python -m benchmarks.learning advice",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    options.add_argument("--repetitions", type=int, default=30)
    repetitions = options.parse_args(arguments).repetitions
    print(f"{'people':<22}{'ε':>5}{'advice':>9}{'model':>8}{'best':>8}{'behind':>8}   the best plan")
    for name, world, width, best in worlds():
        for epsilon in EPSILONS:
            print(against_grid(name, world, width, best, epsilon, repetitions), flush=True)
    print(f"\n{'curves':<10}{'people':>8}" + "".join(f"{f'ε = {epsilon:g}':>18}" for epsilon in EPSILONS))
    for name, plan in CASES.items():
        print(against_case(name, plan, repetitions), flush=True)
    print("each pair: the case with cut-off 0.6, the advice for as many people")


def worlds() -> Iterator[tuple[str, World, int, float]]:
    """Name, people, width, and the accuracy that the advisor is told."""
    yield "curves (section 6)", curves, 4, 0.88
    for width in (4, 10, 20):
        yield f"box of {width} columns", box(width, 0.85), width, 0.85


def curves(people: int, random: np.random.Generator) -> Records:
    """The simulated curves of section 6: tanh of four B-spline coefficients."""
    sample = single_server().draw(people, random)
    units = np.tanh(Projection(BSplineBasis(4), sample.grid).coefficients(sample.curves))
    return units, 2.0 * sample.labels - 1


def box(width: int, accuracy: float) -> World:
    """Uniform records whose label is the side of a plane, in a share ``accuracy`` of them."""

    def draw(people: int, random: np.random.Generator) -> Records:
        units = random.uniform(-1, 1, (people, width))
        side = np.sign(units.sum(axis=1))
        return units, np.where(random.random(people) < accuracy, side, -side)

    return draw


def against_grid(name: str, world: World, width: int, best: float, epsilon: float, repetitions: int) -> str:
    """One line: the advice, what the model expected of it, and the best plan of the grid."""
    advice = advise(PEOPLE, width, epsilon, best_accuracy=best)
    plan = Allocation(advice.training, advice.subset, advice.evaluation, advice.weak)
    found = mean_accuracy(world, plan, epsilon, advice.cutoff, repetitions)
    tried = [
        (mean_accuracy(world, other, epsilon, cutoff, repetitions), other, cutoff)
        for other in grid(width)
        for cutoff in (0.5, 0.6, 0.8)
    ]
    top, other, cutoff = max(tried, key=lambda each: each[0])
    described = (
        f"{other.training} train on {other.subset}, {other.weak} rules of "
        f"{other.evaluation // other.weak}, cut-off {cutoff:g}"
    )
    return f"{name:<22}{epsilon:>5g}{found:>9.4f}{advice.accuracy:>8.4f}{top:>8.4f}{top - found:>8.4f}   {described}"


def grid(width: int) -> Iterator[Allocation]:
    """Plans for all people: untrained, and trained on several shares."""
    for weak in (10, 50, 250):
        yield Allocation(0, 0, PEOPLE, weak)
    for training in (500, 1500, 2500):
        for subset in (max(training // 10, 2 * width), training):
            for weak in (1, 10, 50) if subset == training else (10, 50):
                yield Allocation(training, subset, PEOPLE - training, weak)


def against_case(name: str, plan: Allocation, repetitions: int) -> str:
    """One line: a published case and the advice, at every ε."""
    people, cells = plan.training + plan.evaluation, []
    for epsilon in EPSILONS:
        advice = advise(people, 4, epsilon, best_accuracy=0.88)
        ours = Allocation(advice.training, advice.subset, advice.evaluation, advice.weak)
        pair = [
            mean_accuracy(curves, plan, epsilon, 0.6, repetitions),
            mean_accuracy(curves, ours, epsilon, advice.cutoff, repetitions),
        ]
        cells.append(f"{pair[0]:>11.4f}{pair[1]:>7.4f}"[-18:])
    return f"{name:<10}{people:>8}" + "".join(f"{cell:>18}" for cell in cells)


def mean_accuracy(world: World, plan: Allocation, epsilon: float, cutoff: float, repetitions: int) -> float:
    """The accuracy of a plan, averaged over repetitions with the same people for every plan."""
    return float(np.mean([played(world, plan, epsilon, cutoff, seed) for seed in range(repetitions)]))


def played(world: World, plan: Allocation, epsilon: float, cutoff: float, seed: int) -> float:
    """One collection: noisy records, rules, feedback, and the mixture's accuracy on new records."""
    random = np.random.default_rng(seed)
    tested = world(TESTED, random)
    units, signs = world(plan.training + plan.evaluation, random)
    rules = weak_rules(units[: plan.training], signs[: plan.training], plan, epsilon, random)
    asked = plan.evaluation // plan.weak * plan.weak
    judges = units[plan.training :][:asked].reshape(plan.weak, -1, units.shape[1])
    right = np.sign(np.einsum("bnd,bd->bn", judges, rules)) == signs[plan.training :][:asked].reshape(
        plan.weak, -1
    )
    said = np.where(random.random(right.shape) < expit(epsilon), right, ~right).mean(axis=1)
    lean = (said - 0.5) / np.tanh(epsilon / 2)
    weights = np.sign(lean) * np.maximum(np.abs(lean) - (cutoff - 0.5), 0)
    mixed = (weights if weights.any() else lean) @ rules
    return float((np.sign(tested[0] @ mixed) == tested[1]).mean())


def weak_rules(
    units: Floats, signs: Floats, plan: Allocation, epsilon: float, random: np.random.Generator
) -> Floats:
    """Unit directions: random ones, or least squares on subsets of noisy records."""
    width = units.shape[1]
    rules = random.normal(size=(plan.weak, width))
    if plan.training:
        noisy = units + random.laplace(0, 2 * (width + 1) / epsilon, units.shape)
        said = np.where(random.random(len(signs)) < expit(epsilon / (width + 1)), signs, -signs)
        for place in range(plan.weak):
            chosen = random.permutation(plan.training)[: plan.subset]
            rules[place] = np.linalg.lstsq(noisy[chosen], said[chosen], rcond=None)[0]
    return rules / np.linalg.norm(rules, axis=1, keepdims=True)


if __name__ == "__main__":
    main()
