"""MNIST 7 × 7 (section 7.2.3, appendix C.6): all 49 pixels are sensitive, a neural network.

The authors' network is a small convolutional one in PyTorch. This project does not depend on PyTorch, so the
network here is scikit-learn's perceptron with one hidden layer; the curves are for this network.
"""

from __future__ import annotations

import time
from pathlib import Path

from benchmarks.classifiers.channels import EPSILONS, FAILURE, INSIDE
from benchmarks.classifiers.data import Table, read_mnist
from benchmarks.classifiers.findings import at_small_budgets, tight, tight_figure, too_high
from benchmarks.classifiers.measured import Measured
from benchmarks.classifiers.models import HIDDEN, train_network
from benchmarks.classifiers.results import Figure, Panel, Study
from benchmarks.classifiers.study import CONFIDENCE, Settings, Subject, by_the_text, measure
from noisewright.text import percent

ACCEPTED = 0.1
"""Share of changed answers at which the authors' search still takes a box."""

IMAGES = 50
"""Images of figure 16, the first of the training images."""

CHANNELS = len(INSIDE) * len(EPSILONS)
FOR_ONE = 100_000 * CHANNELS
"""Queries for each of the two images of figure 8: so many for every mechanism and ε."""

FOR_MANY = 2_000 * CHANNELS
"""Queries for each image of figure 16."""

WORDS = (
    f"With the privacy indicator, δ = {FAILURE:g}: a tenth of the images are sent as they are, so every "
    f"curve starts above {FAILURE:g}."
)

OTHER_NETWORK = (
    "all numbers, the published ones too, are computed for our own network, so they differ from those that "
    "the paper shows for the authors' convolutional network, which was not rebuilt."
)


def run(folder: Path, settings: Settings) -> Study:
    """Figures 8 (printed again as 15) and 16."""
    started = time.monotonic()
    training, testing = read_mnist(folder)
    network = Subject(train_network(training, testing), training, training.names, ACCEPTED)
    two = _images(network, 2, FOR_ONE, settings)
    many = _images(network, min(IMAGES, settings.records), FOR_MANY, settings)
    by_text = by_the_text(network, two, settings)
    both = many.average("Average").behind_indicator(), many.worst("Worst image").behind_indicator()
    return Study(
        name="mnist",
        title="MNIST 7 × 7: all 49 pixels randomized",
        facts=(*_facts(network, testing), ("queries", f"{_asked(two, many):,}")),
        findings=(
            f"MNIST, figure 8: {at_small_budgets(two, by_text, 3.0)}",
            f"MNIST, both figures: {too_high([two, many])}",
            f"MNIST, the two images of figure 8: {tight([two])}",
            f"MNIST, figure 16 (with the indicator): {tight_figure(*both)}",
            f"MNIST: {OTHER_NETWORK}",
        ),
        figures=(
            Figure("Figures 8 and 15", "The first two images", WORDS, _singles(training, two)),
            Figure("Figure 16", f"Average and worst of the first {len(many.published)} images", WORDS, both),
        ),
        seconds=time.monotonic() - started,
    )


def _images(network: Subject, count: int, queries: int, settings: Settings) -> Measured:
    """The first images; ``queries`` are those for each."""
    records = network.of(network.table.values[:count])
    each = max(2 * CHANNELS, round(queries * settings.effort))
    return measure(network, records, INSIDE, settings, count * each)


def _singles(training: Table, two: Measured) -> tuple[Panel, ...]:
    return tuple(
        two.record(place, f"Image {place + 1}, a {training.answers[place]}").behind_indicator()
        for place in range(len(two.published))
    )


def _asked(*measured: Measured) -> int:
    return sum(one.prediction.certificate.queries for one in measured)


def _facts(network: Subject, testing: Table) -> list[tuple[str, str]]:
    return [
        ("images", f"{len(network.table):,} for training, {len(testing):,} for testing"),
        ("randomized", f"49 pixels, ε each, so 49ε for an image; privacy indicator δ = {FAILURE:g}"),
        (
            f"{network.trained.kind}, scikit-learn, {HIDDEN} hidden units",
            f"right on {percent(network.trained.accuracy)} of the test images",
        ),
        ("the authors' network", "a convolutional one in PyTorch, on which this project does not depend"),
        ("bounds", f"in each figure all at once with {percent(CONFIDENCE)} confidence"),
    ]
