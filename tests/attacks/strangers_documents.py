"""Valid documents of every kind that is read from strangers, and random damage that keeps them JSON."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import noisewright.learn  # noqa: F401  (all rules and questions join their registries)
from algorithms import ALGORITHMS
from catalogue import KINDS, build
from learn.devices.stranger import Stranger
from mechanisms.categorical import oracles
from noisewright import Categories, Integers, Interval
from noisewright.cli.mechanism_files import read_mechanism
from noisewright.cli.routes_options import _ring_of_file
from noisewright.domains import Bins, Domain, MetricSpace, Product
from noisewright.estimate import Tally
from noisewright.io import Description
from noisewright.io.documents import HEAD
from noisewright.joint.coins.law import CoinLaw
from noisewright.joint.coins.messages import Role
from noisewright.joint.transport.keys import PairToken
from noisewright.joint.worker import Task as PairTask
from noisewright.learn import read_schema
from noisewright.learn.devices.messages import Answer, Task
from noisewright.learn.models.learned_model import CLASSIFIER, LearnedModel, load_model
from noisewright.learn.questions import Question
from noisewright.learn.rules import LinearRule
from noisewright.mechanisms import KRR, OGPM, OLH, LabelExponential
from noisewright.randomness import SeededSource
from noisewright.release import MutualInformation, Release
from noisewright.release.algorithms import Ridge
from noisewright.release.basics.pool import read_pool
from noisewright.release.basics.worlds import Worlds
from noisewright.release.composition.storage import State
from noisewright.release.model_file import RELEASE, SavedRelease, load
from noisewright.trajectory import Budget, Rectangle, TraCSC, TraCSD
from noisewright.trajectory.collection import Collection, fingerprint
from noisewright.trajectory.files import read_routes
from noisewright.trajectory.files.route_file import RouteFile
from noisewright.trajectory.mechanisms import CellOracle
from noisewright.trajectory.routes import Routes
from noisewright.utility.models.endpoint import _read_answer


@dataclass(frozen=True)
class Kind:
    """One kind of document: what stands in valid ones, the end of the file's name, and who reads it."""

    documents: Callable[[], list[Any]]
    read: Callable[[Path], Any]
    suffix: str = ".json"


ROWS = np.random.default_rng(8).uniform(0, 1, size=(40, 3))
LABELS = np.where(ROWS[:, 0] > 0.5, "yes", "no")


def _headed(kind: Any, parts: Any) -> dict[str, Any]:
    return {**dict(zip(HEAD, (kind.name, kind.format, "0"), strict=True)), **parts}


def _mechanisms() -> list[Any]:
    made = [build(*kind, 1.0, cells=16) for kind in KINDS]
    made += [oracles.build(kind, 1.0) for kind in oracles.KINDS]
    line = MetricSpace(["a", "b", "c"], [[0, 1, 2], [1, 0, 1], [2, 1, 0]])
    made += [LabelExponential(line, 1.0), KRR(Bins(Interval(0, 10), [0, 2, 5, 10]), 1.0)]
    return [
        {"noisewright": "mechanism", "format": 1, "package": "0", "mechanism": each.to_dict()}
        for each in made
    ]


def _domains() -> list[Any]:
    return [Product(a=Product(b=Interval(0, 1)), c=Categories(["x", "y"]), d=Integers(0, 9)).to_dict()]


def _descriptions() -> list[Any]:
    columns = {"age": OGPM(Interval(0, 100), 1.0), "code": OLH(Categories("abc"), 1.0)}
    return [Description(columns, kept=("town",)).to_dict()]


def _releases() -> list[Any]:
    found = []
    for algorithm in ALGORITHMS:
        labels = ROWS[:, 1] if isinstance(algorithm, Ridge) else LABELS if algorithm.needs_labels else None
        made = (
            Release(algorithm, MutualInformation(1.0), worlds=16, random_state=3).fit(ROWS, labels).released_
        )
        saved = SavedRelease(made.vector, algorithm.coordinates(made.facts), made_card(made), None)
        found.append(_headed(RELEASE, saved.to_dict()))
    return found


def made_card(released: Any) -> Any:
    from noisewright.release.card import Card

    return Card.of(released)


def _classifiers() -> list[Any]:
    schema = read_schema({"age": Interval(0, 100), "sex": Categories(["f", "m"])}, 2)
    model = LearnedModel(
        schema,
        ("no", "yes"),
        LinearRule([1.0, 0.25], 0.1),
        2.0,
        asked={"learn": 80},
        scorecard={"a": {"b": 1}},
    )
    return [_headed(CLASSIFIER, model.to_dict())]


def _tasks() -> list[Any]:
    return [
        {"task": "t", "question": Stranger(seed).question(kind), "schema": "s"}
        for kind in sorted(Question.registry)
        for seed in range(4)
    ]


def _states() -> list[Any]:
    state = State.draw(read_pool(ROWS), Worlds(40, 16, 7), 1.0, SeededSource(1))
    return [json.loads(state.to_json())]


def _tallies() -> list[Any]:
    number, label = OGPM(Interval(0, 1, cells=16), 1.0), KRR(Categories("abc"), 1.0)
    oracle = OLH(Categories("abc"), 1.0)
    return [
        Tally.of(number.perturb([0.5, 0.2], SeededSource(1)), number).to_dict(),
        Tally.of(label.perturb(["a", "b"], SeededSource(1)), label).to_dict(),
        Tally.of(oracle.perturb(["a", "b"], SeededSource(1)), oracle).to_dict(),
    ]


POINTS = Routes.of([[(0.1, 0.2), (0.2, 0.2)], [(0.5, 0.5)]])


def _routes() -> list[Any]:
    square = Rectangle(0, 0, 1, 1)
    return [
        Collection.draw(kind(square, epsilon=2.0), Budget(2.0), POINTS, SeededSource(1)).to_dict()
        for kind in (TraCSC, TraCSD)
    ]


def _read_routes(path: Path) -> Any:
    """Somebody who damages a description can also give it the fingerprint of the points."""
    from noisewright.io.strict_json import strict_json

    about = strict_json(path.read_bytes())
    if isinstance(about, dict) and "fingerprint" in about:
        about["fingerprint"] = fingerprint(POINTS, about)
    return Collection.of_file(RouteFile(POINTS, about if isinstance(about, dict) else None))


def _cells() -> list[Any]:
    return [CellOracle(Rectangle(0, 0, 1, 1), 1.0, (3, 2)).to_dict()]


def _geojson() -> list[Any]:
    line = {"type": "LineString", "coordinates": [[139.7, 35.6], [139.8, 35.7, 3]]}
    point = {"type": "Point", "coordinates": [139.7, 35.6]}
    features = [
        {"type": "Feature", "properties": {"user": "a", "times": ["1970-01-01", 2]}, "geometry": line},
        {"type": "Feature", "properties": {"user": 7, "time": 3.5}, "geometry": point},
    ]
    return [{"type": "FeatureCollection", "features": features}, line, features[0]]


def _polygons() -> list[Any]:
    ring = [[0, 0], [1, 0], [1, 1], [0, 0]]
    return [{"type": "Feature", "properties": {}, "geometry": {"type": "Polygon", "coordinates": [ring]}}]


def _pair_tasks() -> list[Any]:
    law = CoinLaw.of([1 << 63, 1 << 62, 1 << 62, 0])
    return [json.loads(PairTask("a", PairToken(bytes(range(32))), Role("first"), law).write())]


def _text(read: Callable[[Any], Any]) -> Callable[[Path], Any]:
    return lambda path: read(path.read_bytes())


def _value(read: Callable[[Any], Any]) -> Callable[[Path], Any]:
    from noisewright.io.strict_json import strict_json

    return lambda path: read(strict_json(path.read_bytes()))


DOCUMENTS = {
    "mechanism": Kind(_mechanisms, read_mechanism),
    "domain": Kind(_domains, _value(Domain.from_dict)),
    "description": Kind(_descriptions, _text(Description.from_json)),
    "release": Kind(_releases, load),
    "classifier": Kind(_classifiers, load_model),
    "task": Kind(_tasks, _text(Task.from_json)),
    "answer": Kind(lambda: [{"task": "t", "answer": [1, True, 0.5]}], _text(Answer.from_json)),
    "state": Kind(_states, _text(State.from_json)),
    "tally": Kind(_tallies, _value(Tally.from_dict)),
    "routes": Kind(_routes, _read_routes),
    "cells": Kind(_cells, _value(CellOracle.from_dict)),
    "GeoJSON": Kind(_geojson, read_routes, ".geojson"),
    "polygon": Kind(_polygons, lambda path: _ring_of_file(str(path))),
    "pair": Kind(_pair_tasks, lambda path: PairTask.read(path.read_text())),
    "endpoint": Kind(lambda: [{"labels": ["no", "yes", 3]}], _text(_read_answer)),
}


def deep(levels: int) -> Any:
    value: Any = 1
    for level in range(levels):
        value = [value] if level % 2 else {"a": value}
    return value


HOSTILE = (
    None, True, False, 0, 1, -1, 2, 3, 17, 255, 4096, 10**6, 10**7, 2**31, 2**53, 2**63, 2**64, 10**25, 10**300, -(10**300), 0.5,
    -0.0, 1e-300, 5e-324, 1e300, -1e300, 1.7976931348623157e308, "", "a", "x" * 5000, "\0", "\u202e", "nan", "1e400", "../../etc",
    [], {}, [[]], [0] * 1000, ["a"] * 1000, {"a": 1}, [1, "a", None], deep(30), deep(60), [[0.5] * 40] * 40, "OGPM", "product", 1e18,
)  # fmt: skip


class Damage:
    """Random changes of a document, by a seed: values replaced, left out, repeated, moved or nested."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)

    def of(self, document: Any) -> str:
        """The text of a damaged copy of a document."""
        copy = json.loads(json.dumps(document))
        for _ in range(self.draw.choice([1, 1, 1, 2, 3])):
            copy = self._changed(copy)
        text = json.dumps(copy, ensure_ascii=self.draw.random() < 0.5)
        return self._rewritten(text) if self.draw.random() < 0.15 else text

    def _hostile(self) -> Any:
        return json.loads(json.dumps(self.draw.choice(HOSTILE)))

    def _changed(self, document: Any) -> Any:
        places = list(_places(document))
        if not places:
            return self._hostile()
        holder, key = self.draw.choice(places)
        match self.draw.randrange(8):
            case 0 if isinstance(holder, dict):
                del holder[key]
            case 1 if isinstance(holder, list):
                holder *= self.draw.choice([2, 50])
            case 2:
                other, place = self.draw.choice(places)
                holder[key] = json.loads(json.dumps(other[place]))
            case 3 if isinstance(holder, dict):
                holder[self.draw.choice(["extra", "__class__", "domain", "self", ""])] = self._hostile()
            case 4 if isinstance(holder[key], int | float):
                holder[key] = holder[key] * self.draw.choice([-1, 2, 1000, 1e-9])
            case _:
                holder[key] = self._hostile()
        return document

    def _rewritten(self, text: str) -> str:
        """What only text can hold: numbers that are none, names twice, half letters, endless digits."""
        match self.draw.randrange(5):
            case 0:
                return text.replace(
                    "1", self.draw.choice(["NaN", "1e400", "-Infinity", "9" * 400, "9" * 5000]), 1
                )
            case 1:
                return text.replace("{", '{"a": 1, "a": 2, ', 1)
            case 2:
                return text.replace('"a', '"\\ud800a', 1)
            case 3:
                return "[" * self.draw.choice([100, 100_000]) + text
        cut = self.draw.randrange(len(text) + 1)
        return (
            text[:cut] + self.draw.choice(["", "\x00", "]", '"', "{"]) + text[cut + self.draw.randrange(3) :]
        )


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place of a document: what holds it, and its name or number there."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inside:
        yield value, key
        yield from _places(each)
