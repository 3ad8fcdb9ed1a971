"""What is audited, and on what, as it was typed: a black box, two inputs or a database, and the claim."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from filecmp import cmp
from pathlib import Path
from typing import Any, Final

from noisewright.audit.basics.claim import Claim
from noisewright.audit.blackbox import BlackBox, Command, Endpoint, black_box
from noisewright.audit.blackbox.exchange import column_names, read_data, read_for_programs, read_value
from noisewright.audit.blackbox.functions import MechanismBox
from noisewright.audit.blackbox.targets import (
    IN_MODULE,
    farthest,
    import_target,
    own_claim,
    randomizes,
)
from noisewright.cli.at_files import file_of
from noisewright.cli.label_lists import read_labels
from noisewright.cli.mechanism_files import read_mechanism
from noisewright.cli.one_domain import read_domain
from noisewright.errors import InvalidParameter
from noisewright.io.dependencies import of_an_author
from noisewright.io.file_digest import file_digest
from noisewright.io.file_errors import existing_file
from noisewright.mechanisms import Mechanism
from noisewright.mechanisms.catalogue import DEFAULT_DELTA, build, find
from noisewright.mechanisms.categorical.choice import oracle
from noisewright.parameters import EPSILON
from noisewright.report.provenance import Digest, Target
from noisewright.text import plain

INPUTS: Final = "--pair LEFT RIGHT, --left V --right V, or --database FILE"


@dataclass(frozen=True)
class Subject:
    """Two inputs with names for people, or a database with those of its columns; values are never shown."""

    left: Any = None
    right: Any = None
    names: tuple[str, str] = ("the left input", "the right input")
    database: Any = None
    columns: tuple[str, ...] | None = None


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
        """What was given; ``for_programs`` hands files on as they are, not what Python makes of them."""
        if self.pair is not None:
            left, right = map(existing_file if for_programs else read_data, self.pair)
            _refuse_same(cmp(*self.pair, shallow=False), "both files of --pair hold the same")
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


# -- mechanisms of ours --------------------------------------------------------------------------------


def named(
    text: str, claim: Claim | None, numbers: tuple[str | None, ...], categories: str | None
) -> tuple[Mechanism, Claim | None]:
    """One of our mechanisms, from its file or built by name for a claim, and the claim it is held to.

    A claim without δ is not one that noise with a δ of its own makes: that is held to what it says itself.

    Args:
        text: The name, or @ and a file.
        claim: What was claimed on the command line.
        numbers: The domain of a mechanism for numbers, as it was typed.
        categories: That of one for labels.
    """
    file = file_of(text)
    if file is not None:
        if any(option is not None for option in (*numbers, categories)):
            raise InvalidParameter(f"the mechanism in {file} has its own domain; leave out the one given")
        mechanism = read_mechanism(file)
        return mechanism, claim or own_claim(mechanism)
    if claim is None:
        raise InvalidParameter(
            f"{text} is built for the epsilon of --claim, which is missing (a function is module:name)"
        )
    mechanism = _built(text, claim, numbers, categories)
    return mechanism, claim if claim.delta else own_claim(mechanism) or claim


def _built(text: str, claim: Claim, numbers: tuple[str | None, ...], categories: str | None) -> Mechanism:
    epsilon = EPSILON.check(claim.epsilon)
    if categories is not None:
        return oracle(text, read_labels(categories), epsilon)
    return build(find(text), read_domain(*numbers), epsilon, claim.delta or DEFAULT_DELTA)


# -- black boxes ---------------------------------------------------------------------------------------


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
class AuditTarget:
    """A black box, what it runs on, and its claim; ``patient`` if every run starts a process or a request."""

    box: BlackBox
    subject: Subject
    claim: Claim | None
    patient: bool = False


def read_target(options: TargetOptions, inputs: InputOptions, claim: Claim | None) -> AuditTarget:
    """The black box with its inputs; nothing is run yet."""
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
        return _of_ours(mechanism, options, inputs, held_to)
    thing = import_target(options.name)
    if claim is None:
        claim = own_claim(thing)
    if randomizes(thing):
        return _of_ours(thing, options, inputs, claim)
    box = black_box(thing, vectorized=options.vectorized, timeout=options.timeout)
    return AuditTarget(box, inputs.read(), claim)


def _of_ours(
    mechanism: Any, options: TargetOptions, inputs: InputOptions, claim: Claim | None
) -> AuditTarget:
    """One of our mechanisms, between the ends of its domain where no inputs are given."""
    subject = _ends(mechanism) if isinstance(mechanism, Mechanism) and not inputs.given else inputs.read()
    if subject.database is not None:
        raise InvalidParameter("a mechanism of ours randomizes one value; give --left and --right")
    return AuditTarget(black_box(mechanism, timeout=options.timeout), subject, claim)


def _ends(mechanism: Mechanism) -> Subject:
    left, right = farthest(mechanism)
    return Subject(left, right, (f"the value {left}", f"the value {right}"))  # public: ends of the domain


# -- where they come from ------------------------------------------------------------------------------


def describe_target(options: TargetOptions, box: BlackBox) -> Target:
    """Return what is audited, with the digests of what it is made of."""
    name = options.name or ""
    if isinstance(box, Command):
        _, words, contents = box.describe()
        files = [(plain(Path(word).name), content) for word, content in zip(words, contents, strict=True)]
        return Target("command", plain(box.title), tuple(Digest(*file) for file in files if file[1]))
    if options.url is not None:  # what runs there cannot be told, and may change
        return Target("address", plain(box.title))
    if IN_MODULE.fullmatch(name):
        return Target("function", name, _modules(name.partition(":")[0]))
    file = file_of(name)
    mechanism = box.mechanism if isinstance(box, MechanismBox) else None
    described = mechanism.to_dict() if isinstance(mechanism, Mechanism) else box.title
    parts = [] if file is None else [file_digest(file, plain(Path(file).name))]
    return Target("mechanism", plain(box.title), (*parts, Digest.of_value("description", described)))


def exhibits_target(names: Iterable[str]) -> Target:
    """Return the exhibits of the gallery that are audited; their code is that of this version."""
    return Target("gallery", ", ".join(names))


def _modules(name: str) -> tuple[Digest, ...]:
    """Return digests of a module's file, and of what else is loaded of its package or its author's folder."""
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
