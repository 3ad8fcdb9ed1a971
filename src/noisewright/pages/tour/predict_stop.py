"""The stop about a classifier: how often its answers survive when patients randomize two features."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Floats
from noisewright.pages.figures import figure
from noisewright.pages.markup import Html, paragraph, tag
from noisewright.pages.predict_charts import frontier
from noisewright.pages.predict_forecast import Asked, Forecast
from noisewright.pages.predict_numbers import budget
from noisewright.pages.predict_tables import least_epsilons, lower_bounds
from noisewright.pages.predict_words import answer_words
from noisewright.pages.publish import write_text
from noisewright.pages.tour.trip import Stop, Trip
from noisewright.pages.wording import percent
from noisewright.utility import predict_utility

FEATURES = ("age", "bmi", "blood_pressure", "triglycerides")
SENSITIVE = {"age": (0.0, 100.0), "bmi": (10.0, 60.0)}
"""What a patient might not want to tell; the ends come from life, not from the table."""

EPSILONS = tuple(np.linspace(0.5, 8.0, 16).tolist())
TARGET = 0.9
TREES = 50


def asking_a_model(trip: Trip) -> Stop:
    """A forest that tells who gets worse, asked with randomized ages and weights."""
    patients, worse = _patients()
    model = _model(patients, worse)
    saved = _leave(trip.folder, patients, worse, model)
    found = predict_utility(model, patients, sensitive=SENSITIVE, epsilons=EPSILONS, features=FEATURES)
    forecast = Forecast(found, Asked("the forest", "patients.csv", target=TARGET))
    told = [_first(len(patients), found.exact), answer_words(forecast), _second(forecast)]
    drawn = figure(
        "predict-frontier",
        frontier(forecast),
        title="Share of answers that survive, over ε of each feature, on average and at the worst patient.",
        caption="Every mechanism at every ε from one reading of the model.",
    )
    tables = lower_bounds(forecast, "average"), least_epsilons(forecast)
    content = [*told[:2], tables[0], drawn, told[2], tables[1], _commands(saved)]
    return Stop("What a classifier loses", told, forecast.to_dict(), content)


Labels = NDArray[np.bool_]


def _patients() -> tuple[Floats, Labels]:
    """Four features of 442 patients, and whether their diabetes got worse than that of the median patient."""
    try:
        from sklearn.datasets import load_diabetes  # noqa: PLC0415  (only the tour wants it, and it is slow)
    except ImportError:
        return _made_up()
    records = load_diabetes(scaled=False)
    columns = [list(records.feature_names).index(name) for name in ("age", "bmi", "bp", "s5")]
    return np.asarray(records.data[:, columns]), np.asarray(records.target > np.median(records.target))


def _made_up() -> tuple[Floats, Labels]:
    dice = np.random.default_rng(2026)
    rows = np.column_stack(
        [dice.uniform(19, 79, 442), dice.normal(26, 4, 442).clip(18, 42), dice.normal(95, 14, 442),
         dice.normal(4.6, 0.5, 442)]
    )  # fmt: skip
    return rows, _rule(rows)


def _rule(rows: Floats) -> Labels:
    return np.asarray((rows[:, 1] - 26) / 4 + (rows[:, 3] - 4.6) / 0.5 > 0)


def _model(patients: Floats, worse: Labels) -> Any:
    """A forest; without scikit-learn a rule of thumb, which is asked instead of read."""
    try:
        from sklearn.ensemble import RandomForestClassifier  # noqa: PLC0415
    except ImportError:
        return _rule
    return RandomForestClassifier(TREES, min_samples_leaf=5, random_state=0).fit(patients, worse)


def _leave(folder: Path, patients: Floats, worse: Labels, model: Any) -> bool:
    """The patients, and the model if it can be saved, for whoever wants to go on."""
    lines = [
        ",".join([*(f"{value:g}" for value in row), "worse" if label else "better"])
        for row, label in zip(patients.tolist(), worse.tolist(), strict=True)
    ]
    write_text(folder / "patients.csv", "\n".join([",".join([*FEATURES, "outcome"]), *lines, ""]))
    if not hasattr(model, "predict"):
        return False
    import joblib  # noqa: PLC0415  (comes with scikit-learn)

    joblib.dump(model, folder / "forest.joblib")
    return True


def _first(patients: int, exact: bool) -> str:
    how = "reading its trees gives" if exact else "asking it gives"
    return (
        f"A forest was trained on the true records of {patients} patients to tell whose diabetes gets worse. "
        f"Its users would rather not send their age and weight as they are: {how} the share of answers that "
        "stay the same when both are randomized first, before anybody sends anything."
    )


def _second(forecast: Forecast) -> str:
    found = forecast.prediction.least_epsilon(TARGET)
    words = [f"{name} ε = {budget(least)}" for name, least in found.items() if least is not None]
    return (
        f"To keep {percent(TARGET)} of the answers on average takes, for each of the two features: "
        f"{', '.join(words) or 'more than any mechanism has here'}."
    )


def _commands(saved: bool) -> Html:
    if not saved:
        return paragraph("More: ", tag("code", "noisewright predict --help"))
    return paragraph(
        "Model and table are beside this page. To do it: ",
        tag(
            "code",
            "noisewright predict forest.joblib patients.csv --trust --sensitive age=0:100 "
            "--sensitive bmi=10:60 --ignore outcome --target 0.9 --html prediction.html",
        ),
    )
