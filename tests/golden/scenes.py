"""Command lines whose outputs are recorded: every verb, on small data and with fixed chance.

Each scene runs in one folder after those before it, so a scene may read what an earlier one wrote.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import numpy as np

SCENES: Final = {
    "help": "--help",
    "perturb": "perturb people.csv --epsilon 6 --interval income=0:100 --integers age=0:99 "
    "--categories smokes=no,yes --keep region --seed 1 -o people.parquet --html people.html",
    "perturb_bins": "perturb people.csv --epsilon 2 --integers age=0:99 --for bins --bins age=10 --seed 2 -o bins.parquet",
    "perturb_labels": "perturb people.csv --epsilon 1 --categories band=a,b,c,d,e --protocol band=OLH "
    "--seed 3 -o labels.csv --json",
    "perturb_hours": "perturb people.csv --epsilon 2 --circle wake=24 --seed 4 -o hours.parquet",
    "perturb_refused": "perturb people.csv --epsilon 2 --interval age=40:50 -o refused.parquet",
    "estimate": "estimate people.parquet --bins 5 --html estimate.html",
    "estimate_json": "estimate people.parquet --bins 5 --json",
    "estimate_bins": "estimate bins.parquet --html estimate_bins.html",
    "estimate_labels": "estimate labels.csv --top 3 --consistency norm-sub --html estimate_labels.html",
    "estimate_hours": "estimate hours.parquet --bins 6 --html estimate_hours.html",
    "plan": "plan --people 10000 --epsilon 2 --integers age=0:99 --categories smokes=no,yes --html plan.html",
    "plan_json": "plan --people 10000 --epsilon 2 --integers age=0:99 --categories smokes=no,yes --json",
    "compare": "compare --interval 0:1 --epsilon 1,4 --loss absolute --html compare.html",
    "compare_json": "compare --interval 0:1 --epsilon 1,4 --json",
    "compare_labels": "compare --categories a,b,c,d --epsilon 1,2 --html compare_labels.html",
    "explain": "explain ogpm --interval 40:200 --epsilon 2 --html explain.html",
    "explain_json": "explain sw --integers 0:99 --epsilon 2 --json",
    "explain_labels": "explain olh --categories a,b,c,d --epsilon 1 --html explain_labels.html",
    "design": "design --interval 50:150 --epsilon 2 --loss squared --unbiased -o design.json --html design.html",
    "design_json": "design --circle 24 --epsilon 2 --inputs 24 --json",
    "explain_file": "explain @design.json",
    "predict": "predict model.joblib patients.csv --trust --sensitive x0=-1:1 --sensitive x1=-1:1 --epsilon 1,4 "
    "--answers sick --target 0.8 --seed 5 --html predict.html",
    "predict_json": "predict model.joblib patients.csv --trust --sensitive x0=-1:1 --epsilon 2 --ignore sick "
    "--seed 5 --json",
    "learn": "learn patients.csv --label sick --epsilon 4 --interval x0=-1:1 --interval x1=-1:1 --seed 6 "
    "-o learned.json --html learn.html",
    "learn_json": "learn patients.csv --label sick --epsilon 2 --interval x0=-1:1 --interval x1=-1:1 --seed 7 --json",
    "classify": "classify patients.csv --model learned.json -o classes.csv",
    "release": "release iris.csv --algorithm kmeans --clusters 3 --columns petal_length,petal_width --budget 0.25 "
    "--worlds 64 --seed 8 -o clusters.json --html release.html",
    "release_json": "release iris.csv --algorithm mean --columns petal_length --budget 0.25 "
    "--worlds 64 --seed 8 --json -o mean.json",
    "release_attack": "release iris.csv --algorithm kmeans --clusters 3 --columns petal_length,petal_width "
    "--budget 0.25 --worlds 64 --seed 8 --attack -o attacked.json --html attack.html",
    "apply": "apply clusters.json iris.csv -o clusters.csv",
    "apply_card": "apply mean.json",
    "audit": "audit ogpm --interval 0:1 --claim 1 --samples 20000 --seed 9 --html audit.html",
    "audit_json": "audit ogpm --interval 0:1 --claim 1 --samples 20000 --seed 9 --json",
    "audit_false": "audit vendor:noisy --vectorized --left 0 --right 1 --claim epsilon=0.5 --samples 20000 --seed 9 "
    "--html audit_false.html",
    "audit_search": "audit vendor:noisy_mean --database ages.csv --bounds age=0:100 --claim epsilon=1 "
    "--samples 20000 --seed 9 --html audit_search.html",
    "audit_eureka": "audit vendor:noisy --vectorized --left 0 --right 1 --claim epsilon=1 --samples 20000 --seed 9 "
    "--eureka --html eureka.html",
    "audit_gallery": "audit --gallery laplace svt-5 --samples 20000 --seed 9 --html gallery.html",
    "audit_bits": "audit vendor:noisy --vectorized --left 0 --right 1 --claim epsilon=1 --samples 2000 --seed 9 --bits",
    "joint_plan": "joint plan --users 10000 --epsilon 0.1 --colluders 50 --expected-share 0.08 --html joint.html",
    "joint_plan_json": "joint plan --users 1000 --epsilon 1 --json",
    "joint_example": "joint run --example",
    "budget_create": "budget --ledger people.db create --budget 4 --column heart_rate=2",
    "budget_status": "budget --ledger people.db status --person anna",
    "routes_perturb": "routes perturb trips.geojson --epsilon 8 --per route --reports 3 --space 13.2,52.3,13.6,52.7 --seed 10 "
    "-o private.geojson --html routes_perturb.html",
    "routes_reconstruct": "routes reconstruct private.geojson --html reconstruct.html",
    "routes_evaluate": "routes evaluate trips.geojson private.geojson --html evaluate.html",
    "routes_cells": "routes perturb trips.geojson --epsilon 8 --per route --for counts --grid 2x2 --space 13.2,52.3,13.6,52.7 --seed 11 "
    "-o cells.parquet",
    "routes_count": "routes count cells.parquet --grid 2x2 --html count.html",
    "routes_count_json": "routes count private.geojson --grid 2x2 --json",
    "routes_compare": "routes compare trips.geojson --points places.csv --space 13.2,52.3,13.6,52.7 --epsilon 4 --html routes_compare.html",
}
"""The arguments of each scene."""

VENDOR: Final = """
import numpy as np

RANDOM = np.random.default_rng(1)

def noisy(value, count):
    return value + RANDOM.laplace(size=count)

def noisy_mean(table):
    return float(np.sum(table)) + RANDOM.laplace(scale=100.0)
"""


def prepare(folder: Path) -> None:
    """Write the files that the scenes read."""
    import joblib
    from sklearn.datasets import load_iris
    from sklearn.linear_model import LogisticRegression

    random = np.random.default_rng(0)
    count = 3000
    ages = np.where(random.random(count) < 0.4, 40, random.integers(18, 80, count))
    columns = {
        "age": ages,
        "income": random.beta(2, 5, count).round(4) * 100,
        "smokes": np.where(random.random(count) < 0.2, "yes", "no"),
        "band": random.choice(list("abcde"), count, p=[0.4, 0.3, 0.2, 0.05, 0.05]),
        "wake": (7 + random.normal(0, 1.5, count)).round(2) % 24,
        "region": random.choice(["north", "south"], count),
    }
    write_csv(folder / "people.csv", columns)
    features = random.uniform(-1, 1, (2000, 2)).round(4)
    sick = (features @ [1.0, 0.5] + random.normal(0, 0.2, 2000) > 0).astype(int)
    write_csv(folder / "patients.csv", {"x0": features[:, 0], "x1": features[:, 1], "sick": sick})
    joblib.dump(LogisticRegression().fit(features, sick), folder / "model.joblib")
    iris = load_iris()
    names = [name.removesuffix(" (cm)").replace(" ", "_") for name in iris.feature_names]
    write_csv(folder / "iris.csv", dict(zip(names, iris.data.T, strict=True)))
    write_csv(folder / "ages.csv", {"age": random.integers(0, 100, 20)})
    (folder / "vendor.py").write_text(VENDOR)
    routes = []
    for number in range(36):
        steps = random.normal(0, 0.002, (5, 2)).cumsum(axis=0) + np.array([13.4, 52.5])
        line = {"type": "LineString", "coordinates": steps.round(6).tolist()}
        routes.append({"type": "Feature", "properties": {"id": f"trip {number}"}, "geometry": line})
    places = random.uniform([13.2, 52.3], [13.6, 52.7], (40, 2)).round(4)
    write_csv(folder / "places.csv", {"longitude": places[:, 0], "latitude": places[:, 1]})
    (folder / "trips.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": routes}))


def write_csv(path: Path, columns: dict[str, np.ndarray]) -> None:
    """Write columns as a CSV file."""
    rows = [",".join(columns), *(",".join(map(str, row)) for row in zip(*columns.values(), strict=True))]
    path.write_text("\n".join(rows) + "\n")
