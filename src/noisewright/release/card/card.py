"""The privacy card: one page about a release that anyone can read, and that is safe to publish with it.

A card holds public values only: parameters, the shape of the pool, the promise and the size of the noise. The
world that was used, outputs without noise, the seed of the worlds and anything about a single record are
never on it. A card may have been read from somebody else's file, so it is checked before it is trusted.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Final, Self

import numpy as np

from noisewright.errors import InvalidParameter
from noisewright.parameters import real, whole
from noisewright.release.algorithms.catalogue import describe
from noisewright.release.basics.budgets import equivalent_epsilon, posterior_success
from noisewright.release.card.parts import (
    SHOWN,
    Certificate,
    Guess,
    NoiseGroup,
    few_digits,
    guesses,
    noise_groups,
    number_variances,
)
from noisewright.release.card.report import card_report, promise
from noisewright.report import Report, Reportable
from noisewright.report.terminal import render_text

MOST: Final = 10_000_000
MOST_CLASSES: Final = 10_000


@dataclass(frozen=True)
class Card(Reportable):
    """The description of a release: its content, the promise, and the limits of the promise.

    Attributes:
        title: What was released, in words.
        parameters: Public parameters of the algorithm, as plain JSON.
        numbers: How many numbers were released.
        noised: How many of them have noise.
        exact: Names of the first numbers that are the same in every world and so have no noise.
        directions: Number of directions in which there is noise.
        records: Number of records in the pool.
        features: Number of columns.
        names: Names of the columns; None if they have none.
        classes: Classes of the labels; None if there are none.
        worlds: Number of public worlds, one of which was used; None if it may be any half of the pool.
        nats: Nats that this release may reveal, together with earlier ones from the same world; None if
            nothing is proved.
        guesses: How often guesses are right, blindly and with the release.
        certificate: Success of the best attack, if the noise was calibrated on it.
        noise: Shape of the noise; None if it is not known.
        total_variance: Variance of the noise, summed over all directions.
        groups: Size of the noise by groups of released numbers.
        simulated: Whether somebody who knows a seed can undo the noise.
        failure: Probability that the simulation behind the proof misled it; None if there was no simulation.
        added: Nats that this release adds to earlier ones from the same world; None for a single release.
        total: Nats that all releases from the same world may add up to; None for a single release.
        search: What a search for parameters tried; None without a search.

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
    def of(cls, released: Any, *, noise: str | None = None, search: str | None = None) -> Self:
        """Return the card of a release.

        Args:
            released: A ``Released`` or an ``UnboundedReleased``.
            noise: Shape of the noise; None leaves it out.
            search: What a search for parameters tried; None without a search.
        """
        facts, plan, guarantee = released.facts, released.plan, released.guarantee
        calibrated, worlds = getattr(released, "calibrated", None), getattr(released, "worlds", None)
        total = getattr(calibrated, "total", None)  # of several releases
        names, inner = released.algorithm.coordinates(facts), getattr(released.algorithm, "algorithm", None)
        certificate = Certificate.of(released) if total is None else None  # it covers one release only
        nats = None if guarantee is None else guarantee.mutual_information
        covered = nats if total is None else total
        noised = number_variances(plan)[0] > 0
        promised: tuple[Guess, ...] = ()
        if covered is not None:  # one record is bounded by the proof, or by simulating the best attack
            member = posterior_success(covered) if certificate is None else max(certificate.rate_upper, 0.5)
            promised = guesses(covered, facts.records, worlds, member)
        return cls(
            title=released.algorithm.title if inner is None else f"{inner.title} on scaled columns",
            parameters=dict(describe(released.algorithm)),
            numbers=released.vector.size,
            noised=int(np.count_nonzero(noised)),
            exact=tuple(str(names[place]) for place in np.flatnonzero(~noised)[:SHOWN].tolist()),
            directions=int(np.count_nonzero(plan.variances)),
            records=facts.records,
            features=facts.features,
            names=facts.names,
            classes=facts.classes,
            worlds=None if worlds is None else worlds.count,
            nats=nats,
            guesses=promised,
            certificate=certificate,
            noise=noise,
            total_variance=few_digits(plan.total_variance),
            groups=noise_groups(plan, names),
            simulated=released.simulated,
            failure=getattr(released, "failure", None),
            added=None if calibrated is None or total is None else calibrated.budget.nats,
            total=total,
            search=search,
        )

    @property
    def covered(self) -> float | None:
        """The nats that the promise covers: all releases from the same world together."""
        return self.nats if self.total is None else self.total

    @property
    def success(self) -> float:
        """A bound on how often anybody is right about one record; blind guessing is right half the time."""
        return self.guesses[0].at_most if self.guesses else 1.0

    @property
    def epsilon(self) -> float:
        """The ε of differential privacy that allows as much success; infinite where nothing is promised."""
        return equivalent_epsilon(self.success)

    def explain(self) -> str:
        """Return the promise in one sentence for a lay reader; a simulated release has none, and says so."""
        return promise(self)

    def report(self) -> Report:
        """Describe the card as a document."""
        return card_report(self)

    def __str__(self) -> str:
        return render_text(self.report())

    def to_dict(self) -> dict[str, Any]:
        """Return the card in plain JSON values."""
        epsilon = self.epsilon if math.isfinite(self.epsilon) else None
        return {**asdict(self), "success": self.success, "equivalent_epsilon": epsilon}

    @classmethod
    def from_dict(cls, described: Mapping[str, Any]) -> Self:
        """Return the card of :meth:`to_dict`; reject one that promises more than its nats can keep.

        Args:
            described: Plain JSON values.
        """
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


def check_counts(card: Card) -> None:
    """Reject counts that are impossible or contradict each other."""
    for name in ("numbers", "records", "features"):
        whole(f"{name} of the card", getattr(card, name), 1, MOST)
    for name in ("noised", "directions"):
        whole(f"{name} of the card", getattr(card, name), 0, card.numbers)
    if card.names is not None and len(card.names) != card.features:
        raise InvalidParameter("the card must name every feature, or no feature")
    if len(card.exact) != min(card.numbers - card.noised, SHOWN):
        raise InvalidParameter(f"the card must name the first {SHOWN} numbers that have no noise")
    if card.worlds is not None:
        whole("worlds of the card", card.worlds, 2, MOST)
    if len(card.classes or ()) > MOST_CLASSES:
        raise InvalidParameter(f"a card has room for {MOST_CLASSES:,} classes")


def check_texts(card: Card) -> None:
    """Reject values of the wrong kind where a card has text, an object, a truth value or a number."""
    texts = (card.title, *(card.names or ()), *card.exact)
    texts += tuple(text for text in (card.noise, card.search) if text is not None)
    if not all(isinstance(text, str) for text in texts) or not isinstance(card.parameters, Mapping):
        raise InvalidParameter(
            "title, names, exact, noise and search of the card must be text, its parameters an object"
        )
    if type(card.simulated) is not bool:
        raise InvalidParameter("simulated of the card must be true or false")
    if real("total_variance of the card", card.total_variance) < 0:
        raise InvalidParameter("total_variance of the card must not be negative")
