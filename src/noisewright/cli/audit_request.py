"""The black box that was asked for, with its inputs and the claim it is held to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from noisewright.audit.blackbox import BlackBox, Command, Endpoint, black_box
from noisewright.audit.claim import Claim
from noisewright.cli.audit_subjects import InputOptions, Subject
from noisewright.cli.audit_targets import IN_MODULE, farthest, imported, named, own_claim, randomizes
from noisewright.errors import InvalidParameter
from noisewright.mechanisms import Mechanism

ONE_TARGET: Final = (
    "name one thing to audit: module:function, @file, a mechanism, --command, --url or --gallery"
)


@dataclass(frozen=True)
class TargetOptions:
    """What is to be audited, as it was typed."""

    name: str | None = None
    command: str | None = None
    url: str | None = None
    interval: str | None = None
    integers: str | None = None
    circle: str | None = None
    categories: str | None = None
    vectorized: bool = False
    timeout: float = 60.0
    token_env: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if sum(thing is not None for thing in (self.name, self.command, self.url)) != 1:
            raise InvalidParameter(ONE_TARGET)
        if (self.token_env is not None or self.headers) and self.url is None:
            raise InvalidParameter("--token-env and --header are for --url; leave them out")
        domain = any(option is not None for option in (*self.numbers, self.categories))
        if domain and (self.name is None or IN_MODULE.fullmatch(self.name)):
            raise InvalidParameter(
                "--interval, --integers, --circle and --categories are for mechanisms of ours, by name"
            )
        if self.vectorized and (self.name is None or not IN_MODULE.fullmatch(self.name)):
            raise InvalidParameter("--vectorized is for functions (module:name); leave it out")

    @property
    def numbers(self) -> tuple[str | None, ...]:
        """The domain of a mechanism for numbers, as it was typed."""
        return self.interval, self.circle, self.integers


@dataclass(frozen=True)
class Target:
    """A black box, what it runs on, and its claim; ``patient`` if every run starts a process or a request."""

    box: BlackBox
    subject: Subject
    claim: Claim | None
    patient: bool = False


def read_target(options: TargetOptions, inputs: InputOptions, claim: Claim | None) -> Target:
    """The black box with its inputs; nothing is run yet."""
    if options.command is not None:
        box: BlackBox = Command(options.command, timeout=options.timeout)
        return Target(box, inputs.read(for_programs=True), claim, patient=True)
    if options.url is not None:
        box = Endpoint(
            options.url, timeout=options.timeout, token_env=options.token_env, headers=options.headers
        )
        return Target(box, inputs.read(for_programs=True), claim, patient=True)
    assert options.name is not None
    if not IN_MODULE.fullmatch(options.name):
        mechanism, held_to = named(options.name, claim, options.numbers, options.categories)
        return _of_ours(mechanism, options, inputs, held_to)
    thing = imported(options.name)
    if claim is None:
        claim = own_claim(thing)
    if randomizes(thing):
        return _of_ours(thing, options, inputs, claim)
    box = black_box(thing, vectorized=options.vectorized, timeout=options.timeout)
    return Target(box, inputs.read(), claim)


def _of_ours(mechanism: Any, options: TargetOptions, inputs: InputOptions, claim: Claim | None) -> Target:
    """One of our mechanisms, between the ends of its domain where no inputs are given."""
    subject = _ends(mechanism) if isinstance(mechanism, Mechanism) and not inputs.given else inputs.read()
    if subject.database is not None:
        raise InvalidParameter("a mechanism of ours randomizes one value; give --left and --right")
    return Target(black_box(mechanism, timeout=options.timeout), subject, claim)


def _ends(mechanism: Mechanism) -> Subject:
    left, right = farthest(mechanism)
    return Subject(left, right, (f"the value {left}", f"the value {right}"))  # public: ends of the domain
