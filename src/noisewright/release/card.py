"""The privacy card: one page about a release that anyone can read, and that is safe to publish with it.

A card holds public values only: parameters, the shape of the pool, the promise and the size of the noise. The
half that was used, outputs without noise, the seed of the worlds and anything about a single record never
get here.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Final, Self

from noisewright.errors import InvalidParameter
from noisewright.parameters import is_number, real, whole
from noisewright.release.card_certificate import Certificate
from noisewright.release.card_guesses import Guess, guesses
from noisewright.release.card_noise import NoiseGroup, noise_groups, noised_numbers, rounded
from noisewright.release.meaning import equivalent_epsilon, posterior_success

MOST: Final = 10_000_000
MOST_CLASSES: Final = 10_000


@dataclass(frozen=True)
class Card:
    """What was released, what is promised about it, and what is not.

    ``worlds`` counts the public halves, one of which was used (None: any half of the pool). ``nats`` is what
    this release may tell (None: nothing is proved), ``total`` what all releases from the same half may tell
    together, if there are several. ``failure`` is how likely the simulation behind the proof misled it (None
    where no simulation is needed), ``search`` what a search for parameters tried.

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
    total: float | None = None
    search: str | None = None

    def __post_init__(self) -> None:
        _check_counts(self)
        for name in ("nats", "total", "failure"):
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
        total = getattr(getattr(released, "calibrated", None), "total", None)  # of several releases
        worlds = getattr(released, "worlds", None)
        certificate = Certificate.of(released) if total is None else None  # it knows of one release only
        nats = None if guarantee is None else guarantee.mutual_information
        covered = nats if total is None else total
        return cls(
            title=_title(released.algorithm),
            parameters=_parameters(released.algorithm),
            numbers=released.vector.size,
            noised=noised_numbers(plan),
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
            groups=noise_groups(plan, released.algorithm.coordinates(facts)),
            simulated=released.simulated,
            failure=getattr(released, "failure", None),
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
        """The promise in one sentence for a lay reader."""
        from noisewright.release.card_words import promise  # noqa: PLC0415  (words know the card)

        return promise(self)

    def __str__(self) -> str:
        from noisewright.release.card_text import told  # noqa: PLC0415  (the text knows the card)

        return told(self)

    def to_dict(self) -> dict[str, Any]:
        """The card in plain JSON values."""
        epsilon = self.epsilon if math.isfinite(self.epsilon) else None
        return {**asdict(self), "success": self.success, "equivalent_epsilon": epsilon}

    @classmethod
    def from_dict(cls, described: Mapping[str, Any]) -> Self:
        """The card of :meth:`to_dict`; one that promises more than its nats can keep is refused."""
        parts = {each.name: described[each.name] for each in fields(cls)}
        certificate, lists = parts["certificate"], ("names", "classes")
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


def _parameters(algorithm: Any) -> dict[str, Any]:
    """The public parameters as the catalogue describes them."""
    from noisewright.release.algorithms.catalogue import describe  # noqa: PLC0415  (loads every algorithm)

    return dict(describe(algorithm))


def _member(covered: float, certificate: Certificate | None) -> float:
    """The bound on one record: what the proof gives, or what playing the best attack gives."""
    return posterior_success(covered) if certificate is None else max(certificate.rate_upper, 0.5)


def _check_counts(card: Card) -> None:
    for name in ("numbers", "records", "features"):
        whole(f"{name} of the card", getattr(card, name), 1, MOST)
    whole("noised of the card", card.noised, 0, card.numbers)
    if card.names is not None and len(card.names) != card.features:
        raise InvalidParameter("the card must name every feature, or none")
    if card.worlds is not None:
        whole("worlds of the card", card.worlds, 2, MOST)
    texts = (card.title, *(card.names or ()), *(t for t in (card.noise, card.search) if t is not None))
    if not all(isinstance(text, str) for text in texts) or not isinstance(card.parameters, Mapping):
        raise InvalidParameter(
            "title, names, noise and search of the card must be text, its parameters an object"
        )
    if type(card.simulated) is not bool or not is_number(card.total_variance):
        raise InvalidParameter("simulated of the card must be true or false, and total_variance a number")
    if len(card.classes or ()) > MOST_CLASSES:
        raise InvalidParameter(f"a card has room for {MOST_CLASSES:,} classes")
