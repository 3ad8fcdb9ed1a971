"""How much shared coins help: the variances of the dissertation's two rare questions, and the sampler's rate.

    python -m benchmarks.joint

The heuristic is shown with the ε that it really spends: it has less variance where it breaks the cap.
"""

from __future__ import annotations

from benchmarks.timing import rate
from noisewright import Categories
from noisewright.design.joint_plan import joint_plan
from noisewright.mechanisms.joint import JointRandomizedResponse

PEOPLE = {"Amazon": (10_000, 762), "Kosarak": (20_000, 659)}
EPSILONS = (0.01, 0.1, 1.0)
ASKED = {("Amazon", 0.01): 3.55e7, ("Kosarak", 0.01): 3.01e7}
"""Variances to be met, to the three digits in which they are given; otherwise that of randomized response."""

COLLUDERS = 5
MANY = 1_000_000


def main() -> None:
    """Print the variances, and how fast the simulation is."""
    print(f"variance of the count, {COLLUDERS} users colluding, averaged privacy number at most ε")
    head = f"{'':10}{'ε':>6}{'RR':>12}{'heuristic':>12}{'(its ε)':>10}{'ours':>12}{'÷ RR':>8}"
    print(f"{head}  asked, to three digits")
    for name, (users, ones) in PEOPLE.items():
        for epsilon in EPSILONS:
            print(line(name, users, ones, epsilon))
    print(f"simulation with trusted coins, from labels to labels: {speed() / 1e6:.1f} M/s")


def line(name: str, users: int, ones: int, epsilon: float) -> str:
    """One question at one ε."""
    plan = joint_plan(users, epsilon, COLLUDERS, share=ones / users)
    ours, most = plan.mechanism.count_variance(ones), ASKED.get((name, epsilon), plan.plain.variance)
    met = "yes" if float(f"{ours:.3g}") <= most else "NO"
    spent = f"({plan.heuristic.numbers.epsilon_average:.4f})"
    variances = f"{plan.plain.variance:12.4g}{plan.heuristic.variance:12.4g}{spent:>10}{ours:12.4g}"
    return f"{name:10}{epsilon:6g}{variances}{ours / plan.plain.variance:8.3f}  ≤ {most:.3g}: {met}"


def speed() -> float:
    """Reports a second of the simulation."""
    mechanism = JointRandomizedResponse(Categories(["no", "yes"]), 1.0, users=MANY, correlation=-0.3)
    values = ["no"] * MANY
    return rate(lambda: mechanism.perturb(values), MANY, repeats=2)


if __name__ == "__main__":
    main()
