"""The target of an audit as it was typed: a black box, two inputs or a database, and the claim."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from filecmp import cmp
from pathlib import Path
from typing import Any, Final

from noisewright.audit.basics.claim import Claim
from noisewright.audit.blackbox import BlackBox, Command, Endpoint, black_box
from noisewright.audit.blackbox.exchange import column_names, read_data, read_for_programs, read_value
from noisewright.audit.blackbox.functions import (
    IN_MODULE,
    MechanismBox,
    farthest,
    import_target,
    own_claim,
    randomizes,
)
from noisewright.audit.neighbours.databases import rows_of
from noisewright.audit.neighbours.rows import Label, Range
from noisewright.cli.mechanism_files import read_mechanism
from noisewright.cli.options import file_of, read_domain, read_ends, read_labels
from noisewright.errors import InvalidParameter
from noisewright.io.dependencies import of_an_author
from noisewright.io.file_access import existing_file, file_digest
from noisewright.mechanisms import Mechanism
from noisewright.mechanisms.catalogue import DEFAULT_DELTA, build, find
from noisewright.mechanisms.categorical.choice import oracle
from noisewright.parameters import EPSILON
from noisewright.report.provenance import Digest, Target
from noisewright.text import comparison_key, plain

CODE: Final = (".py", ".pyz", ".r", ".jl", ".js", ".mjs", ".rb", ".pl", ".sh", ".jar", ".wasm")
"""Endings of files that are programs, or parts of one."""

BOUNDS: Final = "--bounds wants a rising range, such as 0:1, or ranges by column: age=0:120,pay=0:1e6"
INPUTS: Final = "--pair LEFT RIGHT, --left V --right V, or --database FILE"


@dataclass(frozen=True)
class Subject:
    """Two inputs with their names, or a database with the names of its columns; values are never shown."""

    left: Any = None
    right: Any = None
    names: tuple[str, str] = ("the left input", "the right input")
    database: Any = None
    columns: tuple[str, ...] | None = None

    def labelled(self, bounds: Range | dict[str, Range]) -> Range | dict[Label, Range]:
        """Return ranges by the database's own labels of columns; an array has only their places."""
        if not isinstance(bounds, dict):
            return bounds
        labels = {
            self.columns[label] if self.columns and isinstance(label, int) else str(label): label
            for label in rows_of(self.database).ranges()
        }
        for name in bounds:
            if name not in labels:
                raise InvalidParameter(
                    f"--bounds names {name!r}, which is not a column of numbers of the database"
                )
        return {labels[name]: span for name, span in bounds.items()}


@dataclass(frozen=True)
class InputOptions:
    """The inputs as they were typed."""

    pair: tuple[str, str] | None = None
    database: str | None = None
    left: str | None = None
    right: str | None = None

    def __post_init__(self) -> None:
        given = [self.pair is not None, self.database is not None, (self.left, self.right) != (None, None)]
        if sum(given) > 1:
            raise InvalidParameter(f"inputs are given once: {INPUTS}")
        if (self.left is None) != (self.right is None):
            raise InvalidParameter("--left and --right are two inputs; give both")

    @property
    def given(self) -> bool:
        """Whether there are any."""
        return self != InputOptions()

    @property
    def files(self) -> tuple[str, ...]:
        """The files that were named."""
        return (*(self.pair or ()), *filter(None, [self.database]))

    def read(self, *, for_programs: bool = False) -> Subject:
        """Read the inputs; ``for_programs`` passes files on as they are, not parsed."""
        if self.pair is not None:
            left, right = map(existing_file if for_programs else read_data, self.pair)
            _refuse_same(cmp(*self.pair, shallow=False), "both files of --pair have the same content")
            return Subject(left, right, (Path(self.pair[0]).name, Path(self.pair[1]).name))
        if self.database is not None:
            database = (read_for_programs if for_programs else read_data)(self.database)
            return Subject(database=database, columns=column_names(self.database))
        if self.left is None or self.right is None:
            raise InvalidParameter(f"an audit needs inputs: {INPUTS}")
        _refuse_same(self.left == self.right, "--left and --right are the same")
        return Subject(read_value(self.left), read_value(self.right))


def _refuse_same(same: bool, said: str) -> None:
    if same:
        raise InvalidParameter(f"{said}; an audit needs two inputs that differ, as in one person")


def read_bounds(text: str) -> Range | dict[str, Range]:
    """Return one range for all columns, or ranges by the names of columns.

    >>> read_bounds("0:1"), read_bounds("age=0:120, pay=0:1e6")
    ((0.0, 1.0), {'age': (0.0, 120.0), 'pay': (0.0, 1000000.0)})
    """
    if "=" not in text:
        return _range(text, text)
    found: dict[str, Range] = {}
    for part in text.split(","):
        name, _, ends = part.rpartition("=")
        if not name.strip():
            raise InvalidParameter(f"{BOUNDS}; got {text!r}")
        if name.strip() in found:
            raise InvalidParameter(f"--bounds names the column {name.strip()!r} twice")
        found[name.strip()] = _range(ends, text)
    return found


def _range(ends: str, text: str) -> Range:
    low, high = read_ends(ends, text, BOUNDS)
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise InvalidParameter(f"{BOUNDS}; got {text!r}")
    return low, high


# -- our own mechanisms --------------------------------------------------------------------------------


def named(
    text: str, claim: Claim | None, numbers: tuple[str | None, ...], categories: str | None
) -> tuple[Mechanism, Claim | None]:
    """Return one of our mechanisms, from its file or built by name for a claim, and the claim to test.

    Noise with a δ of its own does not keep a claim without δ; it is tested against its own guarantee.

    Args:
        text: The name, or @ and a file.
        claim: The claim of the command line.
        numbers: The domain of a mechanism for numbers, as it was typed.
        categories: The domain of a mechanism for labels.
    """
    file = file_of(text)
    if file is not None:
        if any(option is not None for option in (*numbers, categories)):
            raise InvalidParameter(f"the mechanism in {file} has its own domain; leave out the one given")
        mechanism = read_mechanism(file)
        return mechanism, claim or own_claim(mechanism)
    if claim is None:
        _check_name(text, categories)
        raise InvalidParameter(f"--claim is missing: {text} is built for its epsilon, as in --claim 1")
    mechanism = _built(text, claim, numbers, categories)
    return mechanism, claim if claim.delta else own_claim(mechanism) or claim


def _built(text: str, claim: Claim, numbers: tuple[str | None, ...], categories: str | None) -> Mechanism:
    if not EPSILON.above < claim.epsilon <= EPSILON.at_most:
        raise InvalidParameter(
            f"must be an epsilon {EPSILON.range} to build a mechanism for, got {claim.epsilon:g}",
            field="claim",
        )
    _check_name(text, categories)
    if categories is not None:
        return oracle(text, read_labels(categories), claim.epsilon)
    return build(find(text), read_domain(*numbers), claim.epsilon, claim.delta or DEFAULT_DELTA)


def _check_name(text: str, categories: str | None) -> None:
    """Refuse a name that no mechanism has; it may have been meant for a function."""
    try:
        _ = find(text) if categories is None else oracle(text, read_labels(categories), 1.0)
    except InvalidParameter as refusal:
        if comparison_key(text) in map(comparison_key, Mechanism.registry):
            raise
        end = "" if str(refusal).endswith("?") else "."
        raise InvalidParameter(f"{refusal}{end} To audit a function, name it module:function") from None


# -- black boxes ---------------------------------------------------------------------------------------


ONE_TARGET: Final = (
    "name one thing to audit: module:function, @file, a mechanism, --command, --url or --gallery"
)


@dataclass(frozen=True)
class TargetOptions:
    """The thing to audit, as it was typed."""

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
                "--interval, --integers, --circle and --categories are for our mechanisms, by name"
            )
        if self.vectorized and (self.name is None or not IN_MODULE.fullmatch(self.name)):
            raise InvalidParameter("--vectorized is for functions (module:name); leave it out")

    @property
    def numbers(self) -> tuple[str | None, ...]:
        """The domain of a mechanism for numbers, as it was typed."""
        return self.interval, self.circle, self.integers


@dataclass(frozen=True)
class AuditTarget:
    """The target of an audit.

    Attributes:
        box: The black box.
        subject: The inputs that it runs on.
        claim: The claim to test.
        patient: Whether every run starts a process or a request.
        built: How one of our mechanisms was built, in a sentence.
    """

    box: BlackBox
    subject: Subject
    claim: Claim | None
    patient: bool = False
    built: str | None = None


def read_target(options: TargetOptions, inputs: InputOptions, claim: Claim | None) -> AuditTarget:
    """Return the black box with its inputs; nothing is run yet."""
    if options.command is not None:
        box: BlackBox = Command(options.command, timeout=options.timeout)
        return AuditTarget(box, inputs.read(for_programs=True), claim, patient=True)
    if options.url is not None:
        box = Endpoint(
            options.url, timeout=options.timeout, token_env=options.token_env, headers=options.headers
        )
        return AuditTarget(box, inputs.read(for_programs=True), claim, patient=True)
    assert options.name is not None
    if not IN_MODULE.fullmatch(options.name):
        mechanism, held_to = named(options.name, claim, options.numbers, options.categories)
        return _own_target(mechanism, options, inputs, held_to)
    thing = import_target(options.name)
    if claim is None:
        claim = own_claim(thing)
    if randomizes(thing):
        return _own_target(thing, options, inputs, claim)
    box = black_box(thing, vectorized=options.vectorized, timeout=options.timeout)
    return AuditTarget(box, inputs.read(), claim)


def _own_target(
    mechanism: Any, options: TargetOptions, inputs: InputOptions, claim: Claim | None
) -> AuditTarget:
    """Return one of our mechanisms, with the ends of its domain as inputs if none are given."""
    subject = _ends(mechanism) if isinstance(mechanism, Mechanism) and not inputs.given else inputs.read()
    if subject.database is not None:
        raise InvalidParameter("our mechanisms randomize one value; give --left and --right")
    box = black_box(mechanism, timeout=options.timeout)
    built = None
    if isinstance(mechanism, Mechanism):
        delta = getattr(mechanism, "delta", None)
        with_delta = "" if delta is None else f" and delta = {delta:g}"
        built = f"{type(mechanism).__name__} on {mechanism.domain.words}, built for epsilon = "
        built += f"{mechanism.epsilon:g}{with_delta}."
    return AuditTarget(box, subject, claim, built=built)


def _ends(mechanism: Mechanism) -> Subject:
    left, right = farthest(mechanism)
    return Subject(left, right, (f"the value {left}", f"the value {right}"))  # public: ends of the domain


# -- where they come from ------------------------------------------------------------------------------


def describe_target(options: TargetOptions, box: BlackBox) -> Target:
    """Return the target for the provenance, with the digests of its parts."""
    name = options.name or ""
    if isinstance(box, Command):
        _, words, contents = box.describe()
        parts = [
            Digest(plain(Path(word).name), content)
            for place, (word, content) in enumerate(zip(words, contents, strict=True))
            if content and (place == 0 or _is_code(word))
        ]
        return Target("command", plain(box.title), tuple(parts))
    if options.url is not None:  # what runs there is unknown, and may change
        return Target("address", plain(box.title))
    if IN_MODULE.fullmatch(name):
        return Target("function", name, _modules(name.partition(":")[0]))
    file = file_of(name)
    mechanism = box.mechanism if isinstance(box, MechanismBox) else None
    described = mechanism.to_dict() if isinstance(mechanism, Mechanism) else box.title
    parts = [] if file is None else [file_digest(file, plain(Path(file).name))]
    return Target("mechanism", plain(box.title), (*parts, Digest.of_value("description", described)))


def _is_code(word: str) -> bool:
    """Return whether a file of a command is part of the program; others may be data and get no digest."""
    return Path(word).suffix.lower() in CODE or os.access(word, os.X_OK)


def _modules(name: str) -> tuple[Digest, ...]:
    """Return digests of a module's file, and of other loaded modules of its package or folder."""
    top = name.partition(".")[0]
    beside = Path(getattr(sys.modules[top], "__file__", None) or ".").absolute().parent
    root = beside.parent if hasattr(sys.modules[top], "__path__") else beside
    found = {}
    for own, module in list(sys.modules.items()):
        path = Path(getattr(module, "__file__", None) or ".").absolute()
        if path.is_file() and (
            own.partition(".")[0] == top or (of_an_author(own) and path.is_relative_to(root))
        ):
            shown = path.relative_to(root).as_posix() if path.is_relative_to(root) else path.name
            found[plain(shown)] = path
    return tuple(file_digest(path, shown) for shown, path in sorted(found.items()))
