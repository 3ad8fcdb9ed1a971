"""A server that sends anything: random descriptions of nested rules, in every kind of question."""

from __future__ import annotations

import random
from typing import Any

WIDTH = 4
NUMBERS = (0, -0.0, 1, -1, 0.5, -0.5, 1e30, -1e30, 1e-30, 1e-308, 5e-324)
BASIS = {"basis": "fourier", "functions": WIDTH, "domain": [0, 1]}


class Stranger:
    """Draws by a seed: rules of 1 to 4 classes up to four deep, some of a wrong width, numbers at the edges.

    A method for each kind of rule, and ``ask_`` for each kind of question, gives the fields of a description.
    """

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)

    def numbers(self, count: int) -> list[float]:
        return [self.draw.choice(NUMBERS) for _ in range(count)]

    def rule(self, depth: int = 0) -> dict[str, Any]:
        nested = ["mixed", "reversed", "classes", "evidence"] if depth < 3 else []
        kind = self.draw.choice([*nested, "linear", "constant", "additive", "curve"])
        return {"rule": kind, **getattr(self, kind)(depth)}

    def rules(self, depth: int) -> list[dict[str, Any]]:
        return [self.rule(depth + 1) for _ in range(self.draw.randint(1, 4))]

    def linear(self, _: int) -> dict[str, Any]:
        width = self.draw.choice([WIDTH] * 9 + [WIDTH - 1])
        return {
            "weights": self.numbers(width),
            "intercept": self.numbers(1)[0],
            "ties": self.draw.randint(0, 1),
        }

    def constant(self, _: int) -> dict[str, Any]:
        return {"code": self.draw.randint(0, 1)}

    def additive(self, _: int) -> dict[str, Any]:
        classes, cells, ordered = self.draw.randint(1, 4), self.draw.randint(2, 3), self.draw.random() < 0.5
        stop = 1 if ordered or cells == 2 else cells
        axis = {"start": 0, "stop": stop, "cells": cells, "ordered": ordered}
        return {"axes": [axis], "tables": [self.numbers(cells * classes)], "offsets": self.numbers(classes)}

    def mixed(self, depth: int) -> dict[str, Any]:
        rules = self.rules(depth)
        return {
            "rules": rules,
            "weights": self.numbers(len(rules)),
            "how": self.draw.choice(["scores", "votes"]),
        }

    def reversed(self, depth: int) -> dict[str, Any]:
        return {"of": self.rule(depth + 1)}

    def classes(self, depth: int) -> dict[str, Any]:
        return {"rules": self.rules(depth)}

    def evidence(self, depth: int) -> dict[str, Any]:
        rules, classes = self.rules(depth), self.draw.randint(1, 4)
        table = self.numbers(len(rules) * classes**2)
        return {"rules": rules, "prior": self.numbers(classes), "evidence": table}

    def curve(self, _: int) -> dict[str, Any]:
        how = {"rescale": self.draw.choice(["tanh", "max-abs"]), "scale": self.draw.choice([1e-30, 1, 1e30])}
        return {"basis": BASIS, "coefficients": self.numbers(WIDTH), "intercept": self.numbers(1)[0], **how}

    def question(self, kind: str) -> dict[str, Any]:
        epsilon = self.draw.choice([0.5, 20.0])
        return {"question": kind, "epsilon": epsilon, **getattr(self, f"ask_{kind}")(epsilon)}

    def ask_feedback(self, _: float) -> dict[str, Any]:
        return {"rule": self.rule()}

    def ask_comparison(self, _: float) -> dict[str, Any]:
        return {"rule": self.rule(), "rival": self.rule()}

    def ask_confusion(self, _: float) -> dict[str, Any]:
        return {"rule": self.rule(), "classes": self.draw.randint(2, 4)}

    def ask_check(self, _: float) -> dict[str, Any]:
        classes = self.draw.randint(2, 4)
        cuts = self.draw.choice([[0], [-1e308, 0, 1e308], [0, 5e-324]]) if classes == 2 else [0]
        return {"rule": self.rule(), "classes": classes, "cuts": cuts}

    def ask_rest(self, epsilon: float) -> dict[str, Any]:
        kind = self.draw.choice(["feedback", "confusion", "check", "cells", "product"])
        return {"of": {**self.question(kind), "epsilon": epsilon}, "target": self.draw.randint(0, 5)}

    def ask_cells(self, _: float) -> dict[str, Any]:
        axis = {"start": 0, "stop": 1, "cells": 5, "ordered": True}
        return {"axis": axis, "cuts": [1, 3], "classes": self.draw.randint(2, 4)}

    def ask_product(self, _: float) -> dict[str, Any]:
        parts = [{"columns": self.draw.choice([[], [0], [1, 1], [2, 3]]), "label": True, "centre": 0.3}] * 2
        return {"products": parts, "mechanism": "PM"}

    def ask_score(self, _: float) -> dict[str, Any]:
        rules = [{"rule": "linear", **self.linear(0)} for _ in range(2)]
        return {"rules": rules, "products": [{"columns": [0, 1], "label": False}], "mechanism": "PM"}

    def ask_split(self, _: float) -> dict[str, Any]:
        share = self.draw.choice([None, 1e-9, 0.5])
        return {"width": WIDTH, "mechanism": "PM", "label_share": share, "classes": self.draw.randint(2, 4)}

    def ask_sampled(self, _: float) -> dict[str, Any]:
        return {**self.ask_split(0.0), "columns": self.draw.sample(range(WIDTH), 2)}
