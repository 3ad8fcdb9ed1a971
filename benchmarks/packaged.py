"""Frequency oracles of other packages behind one face, so that all are fed and timed alike.

Both packages work person by person in Python and draw from insecure generators; ``benchmarks/peers.in``
says what they need beyond what they ask for. ``make peers`` installs them.
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any, ClassVar

import numpy as np

from noisewright.domains import Cells

KRR, OUE, OLH = "k-RR", "OUE", "OLH"

SHARED = 1_000
"""Hash functions in pure-ldp's fast local hashing."""


class Package(ABC):
    """One package, for a number of labels and an ε."""

    name: ClassVar[str]

    def __init__(self, labels: int, epsilon: float) -> None:
        self.labels, self.epsilon = labels, epsilon

    @abstractmethod
    def people(self, cells: Cells) -> list[int]:
        """People's labels as the package wants them."""

    @abstractmethod
    def perturb(self, protocol: str, people: list[int]) -> list[Any]:
        """One report a person."""

    @abstractmethod
    def count(self, protocol: str, reports: list[Any]) -> object:
        """Frequencies from reports."""


class MultiFreqLDPy(Package):
    """multi-freq-ldpy: a function compiled by numba for k-RR and OUE, Python for local hashing."""

    name = "multi-freq-ldpy"

    def __init__(self, labels: int, epsilon: float) -> None:
        super().__init__(labels, epsilon)
        room = "multi_freq_ldpy.pure_frequency_oracles"
        files = {KRR: "GRR", OUE: "UE", OLH: "LH"}
        self.clients, self.servers = {}, {}
        for protocol, file in files.items():
            module = import_module(f"{room}.{file}")
            self.clients[protocol] = getattr(module, f"{file}_Client")
            self.servers[protocol] = getattr(module, f"{file}_Aggregator_MI")

    def people(self, cells: Cells) -> list[int]:
        return [int(cell) for cell in cells]

    def perturb(self, protocol: str, people: list[int]) -> list[Any]:
        client = self.clients[protocol]
        return [client(person, self.labels, self.epsilon) for person in people]

    def count(self, protocol: str, reports: list[Any]) -> object:
        if protocol == OUE:
            return self.servers[protocol](reports, self.epsilon)
        return self.servers[protocol](reports, self.labels, self.epsilon)

    def compiled_loop(self, cells: Cells) -> Callable[[], Cells]:
        """Its k-RR at its best: its own compiled function, called from a loop that is compiled as well."""
        from numba import njit

        client, labels, epsilon = self.clients[KRR], self.labels, self.epsilon

        def loop(people: Cells) -> Cells:
            reports = np.empty_like(people)
            for person in range(people.size):
                reports[person] = client(people[person], labels, epsilon)
            return reports

        compiled: Any = njit(loop)
        return partial(compiled, cells)


class PureLDPPackage(Package):
    """pure-ldp: Python classes, a client and a server for each protocol."""

    name = "pure-ldp"

    def __init__(self, labels: int, epsilon: float) -> None:
        super().__init__(labels, epsilon)
        oracles = import_module("pure_ldp.frequency_oracles")
        self.makers: dict[str, tuple[Callable[..., Any], Callable[..., Any], dict[str, bool]]] = {
            KRR: (oracles.DEClient, oracles.DEServer, {}),
            OUE: (oracles.UEClient, oracles.UEServer, {"use_oue": True}),
            OLH: (oracles.LHClient, oracles.LHServer, {"use_olh": True}),
        }

    def people(self, cells: Cells) -> list[int]:
        return [int(cell) + 1 for cell in cells]  # it counts labels from 1

    def perturb(self, protocol: str, people: list[int]) -> list[Any]:
        make, _, options = self.makers[protocol]
        client = make(self.epsilon, self.labels, **options)
        return [client.privatise(person) for person in people]

    def count(self, protocol: str, reports: list[Any]) -> object:
        _, make, options = self.makers[protocol]
        server = make(self.epsilon, self.labels, **options)
        server.aggregate_all(reports)
        server.check_and_update_estimates()
        return server.get_estimates

    def shared_hashes(self, people: list[int]) -> Callable[[], object]:
        """Counting in its other protocol, where all people share 1,000 hash functions, made beforehand.

        It is faster, at the price of errors that people with the same hash function have in common.
        """
        oracles = import_module("pure_ldp.frequency_oracles")
        client = oracles.FastLHClient(self.epsilon, self.labels, SHARED, use_olh=True)
        server = oracles.FastLHServer(self.epsilon, self.labels, SHARED, use_olh=True)
        reports = [client.privatise(person) for person in people]

        def run() -> object:
            server.aggregate_all(reports)
            server.check_and_update_estimates()
            return server.get_estimates

        return run


def installed(labels: int, epsilon: float) -> list[Package]:
    """The packages that can be imported; one that cannot is named on the error stream."""
    found: list[Package] = []
    for kind in (MultiFreqLDPy, PureLDPPackage):
        try:
            found.append(kind(labels, epsilon))
        except ImportError as problem:
            print(f"{kind.name} is left out ({problem}): run make peers", file=sys.stderr)
    return found
