"""The stop about releasing: a clustering of flowers with its privacy card, and attacks on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.errors import MissingExtra
from noisewright.pages.figures import figure
from noisewright.pages.markup import Html, listing, paragraph, tag
from noisewright.pages.publish import write_text
from noisewright.pages.tour.trip import Stop, Trip
from noisewright.pages.wording import percent

if TYPE_CHECKING:
    from noisewright.release import AttackReport, Release

HEADING = "A model to publish"
COLUMNS = ("sepal_length", "sepal_width", "petal_length", "petal_width")
CLUSTERS = 3
NATS = 0.25
WORLDS = 128
TRIALS = 400
_SEED = 2028


@dataclass(frozen=True, eq=False)
class _Flowers:
    """The iris table, which is public: four lengths in centimetres, and the species. Read as a table is."""

    rows: Floats
    species: tuple[str, ...]

    columns = COLUMNS

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Floats:
        return np.array(self.rows, dtype=dtype)

    def to_csv(self) -> str:
        lines = [
            ",".join([*(f"{length:.1f}" for length in row), kind])
            for row, kind in zip(self.rows.tolist(), self.species, strict=True)
        ]
        return "\n".join([",".join([*COLUMNS, "species"]), *lines, ""])


def releasing(trip: Trip) -> Stop:
    """What may leave of a clustering, what its card promises, and how far attacks get."""
    try:
        flowers, release = _released(trip)
    except MissingExtra as missing:
        said = f"Releasing was left out: {missing}"
        return Stop(HEADING, [said], {"card": None}, [said])
    from noisewright.pages.release_attack import CURVES, curves, successes_table  # noqa: PLC0415

    report = release.attack(trials=TRIALS, seed=None if trip.source.private else _SEED)
    kept = _kept(flowers, release)
    told = [_first(flowers, kept), release.card_.explain(), _third(report)]
    drawn = figure(
        "attacks", curves(report), title="Curves of all attacks on logarithmic axes.", caption=CURVES
    )
    content = [
        told[0], listing(str(release.card_), "The privacy card"), told[2], successes_table(report), drawn,
        _commands(),
    ]  # fmt: skip
    facts = {"card": release.card_.to_dict(), "attack": report.to_dict(), "same_cluster": kept}
    return Stop(HEADING, told, facts, content)


def _released(trip: Trip) -> tuple[_Flowers, Release]:
    """The flowers and what was released of them, both left beside the page."""
    from noisewright.release import MutualInformation, Release  # noqa: PLC0415  (says what is missing)

    # isort: split
    from sklearn.cluster import KMeans  # noqa: PLC0415  (scikit-learn is slow to load)
    from sklearn.datasets import load_iris  # noqa: PLC0415

    iris = load_iris()
    flowers = _Flowers(iris.data, tuple(str(iris.target_names[kind]) for kind in iris.target))
    write_text(trip.folder / "iris.csv", flowers.to_csv())
    release = Release(
        KMeans(CLUSTERS), MutualInformation(NATS), worlds=WORLDS,
        random_state=None if trip.source.private else _SEED,
    ).fit(flowers)  # fmt: skip
    release.save(trip.folder / "clusters.json")
    return flowers, release


def _kept(flowers: _Flowers, release: Release) -> float:
    """The share of flowers that the released centroids put where those of the whole pool do."""
    exact = release.facts_.reference
    assert exact is not None
    return float(
        (_nearest(flowers.rows, release.model_.cluster_centers_) == _nearest(flowers.rows, exact)).mean()
    )


def _nearest(rows: Floats, centroids: Floats) -> Cells:
    return np.asarray(((rows[:, None] - centroids) ** 2).sum(axis=2).argmin(axis=1))


def _first(flowers: _Flowers, kept: float) -> str:
    return (
        f"Who holds the data may publish what was learned from it. K-Means finds {CLUSTERS} clusters among "
        f"{len(flowers.rows)} flowers, on each of {WORLDS} public halves of them; the centroids of one half, "
        f"drawn in secret, are published with the least noise that tells at most {NATS:g} nats about which "
        f"half it was. They put {percent(kept)} of the flowers into the cluster where the exact centroids of "
        "all flowers put them."
    )


def _third(report: AttackReport) -> str:
    best = report.strongest
    return (
        f"{TRIALS} such releases were attacked: the strongest attack, {best.title}, is right about "
        f"{percent(float(best.success.value))} of records. {report.sentence[0].upper()}{report.sentence[1:]}."
    )


def _commands() -> Html:
    made = (
        f"noisewright release iris.csv --algorithm kmeans --clusters {CLUSTERS} --budget {NATS:g} "
        "-o model.json --html card.html"
    )
    used = "noisewright apply clusters.json iris.csv -o predictions.csv"
    return paragraph(
        "Flowers and centroids are beside this page. To do it: ", tag("code", made), ". To use it: ",
        tag("code", used),
    )  # fmt: skip
