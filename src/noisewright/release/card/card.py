"""The privacy card: one page about a release that anyone can read, and that is safe to publish with it.

A card holds public values only: parameters, the shape of the pool, the promise and the size of the noise. The
half that was used, outputs without noise, the seed of the worlds and anything about a single record never
get here.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Self

import numpy as np

from noisewright.errors import InvalidParameter
from noisewright.parameters import real
from noisewright.release.algorithms.catalogue import describe
from noisewright.release.card.certificate import Certificate
from noisewright.release.card.checks import check_counts, check_texts
from noisewright.release.card.guesses import Guess, guesses
from noisewright.release.card.noise import NoiseGroup, exact_names, noise_groups, noised_numbers, rounded
from noisewright.release.card.text import told
from noisewright.release.card.words import promise
from noisewright.release.meaning import equivalent_epsilon, posterior_success


@dataclass(frozen=True)
class Card:
    """What was released, what is promised about it, and what is not.

    ``exact`` names numbers that are the same in every half and so have no noise, the first of them.
    ``worlds`` counts the public halves, one of which was used (None: any half of the pool). ``nats`` is what
    this release may tell (None: nothing is proved). If there are several from the same half, ``nats`` is of
    this one with the earlier ones, ``added`` of this one beyond them, and ``total`` of all that may come.
    ``failure`` is how likely the simulation behind the proof misled it (None where no simulation is needed),
    ``search`` what a search for parameters tried.

    >>> import numpy as np
    >>> from noisewright.release import MutualInformation, Release
    >>> from noisewright.release.algorithms import Mean
    >>> rows = np.random.default_rng(0).normal(size=(40, 2))
    >>> card = Release(Mean(), MutualInformation(1 / 64), worlds=64, random_state=1).fit(rows).card_
    >>> card.simulated, card.numbers, f"{card.success:.4f}"
    (True, 2, '0.5882')
    """

    title: str
    parameters: Mapping[str, Any]
    numbers: int
    noised: int
    exact: tuple[str, ...]
    directions: int
    records: int
    features: int
    names: tuple[str, ...] | None
    classes: tuple[Any, ...] | None
    worlds: int | None
    nats: float | None
    guesses: tuple[Guess, ...]
    certificate: Certificate | None
    noise: str | None
    total_variance: float
    groups: tuple[NoiseGroup, ...]
    simulated: bool
    failure: float | None = None
    added: float | None = None
    total: float | None = None
    search: str | None = None

    def __post_init__(self) -> None:
        check_counts(self)
        check_texts(self)
        for name in ("nats", "added", "total", "failure"):
            value = getattr(self, name)
            if value is not None and real(name, value) <= 0:
                raise InvalidParameter(f"{name} of the card must be above 0")
        if self.nats is not None and any(self._understated(guess) for guess in self.guesses):
            raise InvalidParameter("the card promises more than its nats can keep")

    @classmethod
    def of(
        cls,
        released: Any,
        *,
        noise: str | None = None,
        search: str | None = None,
    ) -> Self:
        """The card of a ``Released`` or an ``UnboundedReleased``."""
        facts, plan, guarantee = released.facts, released.plan, released.guarantee
        calibrated, worlds = getattr(released, "calibrated", None), getattr(released, "worlds", None)
        total = getattr(calibrated, "total", None)  # of several releases
        names = released.algorithm.coordinates(facts)
        certificate = Certificate.of(released) if total is None else None  # it knows of one release only
        nats = None if guarantee is None else guarantee.mutual_information
        covered = nats if total is None else total
        return cls(
            title=_title(released.algorithm),
            parameters=dict(describe(released.algorithm)),
            numbers=released.vector.size,
            noised=noised_numbers(plan),
            exact=exact_names(plan, names),
            directions=int(np.count_nonzero(plan.variances)),
            records=facts.records,
            features=facts.features,
            names=facts.names,
            classes=facts.classes,
            worlds=None if worlds is None else worlds.count,
            nats=nats,
            guesses=()
            if covered is None
            else guesses(covered, facts.records, worlds, _member(covered, certificate)),
            certificate=certificate,
            noise=noise,
            total_variance=rounded(plan.total_variance),
            groups=noise_groups(plan, names),
            simulated=released.simulated,
            failure=getattr(released, "failure", None),
            added=None if calibrated is None or total is None else calibrated.budget.nats,
            total=total,
            search=search,
        )

    @property
    def covered(self) -> float | None:
        """The nats that the promise is about: all releases from the same half together."""
        return self.nats if self.total is None else self.total

    @property
    def success(self) -> float:
        """How often anybody is right about one record, at most; blind guessing is right half the time."""
        return self.guesses[0].at_most if self.guesses else 1.0

    @property
    def epsilon(self) -> float:
        """The ε of differential privacy that allows as much success; infinite where nothing is promised."""
        return equivalent_epsilon(self.success)

    def explain(self) -> str:
        """The promise in one sentence for a lay reader; of a simulated release, that there is none."""
        return promise(self)

    def __str__(self) -> str:
        return told(self)

    def to_dict(self) -> dict[str, Any]:
        """The card in plain JSON values."""
        epsilon = self.epsilon if math.isfinite(self.epsilon) else None
        return {**asdict(self), "success": self.success, "equivalent_epsilon": epsilon}

    @classmethod
    def from_dict(cls, described: Mapping[str, Any]) -> Self:
        """The card of :meth:`to_dict`; one that promises more than its nats can keep is refused."""
        parts = {each.name: described[each.name] for each in fields(cls)}
        certificate, lists = parts["certificate"], ("names", "classes", "exact")
        parts["guesses"] = tuple(Guess(**guess) for guess in parts["guesses"])
        parts["groups"] = tuple(NoiseGroup(**group) for group in parts["groups"])
        parts["certificate"] = None if certificate is None else Certificate(**certificate)
        parts |= {name: None if parts[name] is None else tuple(parts[name]) for name in lists}
        return cls(**parts)

    def _understated(self, guess: Guess) -> bool:
        if self.certificate is not None and guess is self.guesses[0]:
            return guess.at_most < self.certificate.rate_upper
        return guess.at_most < posterior_success(real("nats", self.covered), guess.blind) * (1 - 1e-12)


def _title(algorithm: Any) -> str:
    """What the algorithm is called; one behind a scaler is called by its own name."""
    inner = getattr(algorithm, "algorithm", None)
    return str(algorithm.title) if inner is None else f"{inner.title} on scaled columns"


def _member(covered: float, certificate: Certificate | None) -> float:
    """The bound on one record: what the proof gives, or what playing the best attack gives."""
    return posterior_success(covered) if certificate is None else max(certificate.rate_upper, 0.5)
