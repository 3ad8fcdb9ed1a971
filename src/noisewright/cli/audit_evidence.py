"""An audit as evidence: where it comes from, who signs it, and the register it is entered into."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import typer
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from noisewright.audit.blackbox import BlackBox, Command
from noisewright.audit.blackbox.mechanism import MechanismBox
from noisewright.cli.at_files import file_of
from noisewright.cli.audit_request import TargetOptions
from noisewright.cli.audit_subjects import InputOptions
from noisewright.cli.audit_targets import IN_MODULE
from noisewright.cli.common import say
from noisewright.cli.redaction import command_line
from noisewright.engine.evidence import SIGNATURE, fingerprint, read_private_key, sign
from noisewright.engine.following import of_an_author
from noisewright.engine.provenance import Digest, Provenance, Target
from noisewright.engine.register import LINK, check_register, open_register
from noisewright.errors import BadTable
from noisewright.mechanisms import Mechanism
from noisewright.pages.evidence import FORMAT, PAGE, page_digest, provenance_section
from noisewright.pages.template import Section
from noisewright.text import plain


@dataclass(frozen=True)
class Evidence:
    """What makes an audit evidence: its provenance, the key that signs it, and its register, if there are."""

    provenance: Provenance
    key: Ed25519PrivateKey | None = None
    register: str | None = None

    @classmethod
    def of(cls, context: typer.Context, seed: int | None, key: str | None, register: str | None) -> Evidence:
        """Read the options, and refuse a key or a register that could not be used in the end."""
        if register is not None:
            check_register(register)
        signer = None if key is None else read_private_key(key)
        return cls(Provenance(command_line(context), seed), signer, register)

    def about(self, target: Target, inputs: InputOptions | None = None) -> Evidence:
        """Return the evidence with what is audited, and the files it is run on."""
        files = () if inputs is None else (*(inputs.pair or ()), *filter(None, [inputs.database]))
        digests = tuple(Digest.of_file(file, plain(Path(file).name)) for file in files)
        return replace(self, provenance=replace(self.provenance, target=target, inputs=digests))

    @property
    def section(self) -> Section:
        """The part of a page that says how the result came about."""
        signer = None if self.key is None else fingerprint(self.key.public_key())
        return provenance_section(self.provenance, signer)

    def seal(self, kind: str, result: Mapping[str, Any], page: str | None) -> dict[str, Any]:
        """Return the result as a document with its provenance, signed and entered as asked for.

        A register that cannot be written any more is told and costs no result: the document has no entry.
        """
        document = {
            "noisewright": kind,
            "format": FORMAT,
            **result,
            "provenance": self.provenance.to_dict(),
            **({} if page is None else {PAGE: page_digest(page)}),
        }
        if self.register is None:
            return self._signed(document)
        try:
            with open_register(self.register) as register:
                entered = self._signed({**document, LINK: register.link})
                digest = register.append(entered)
        except BadTable as refusal:
            say(f"the result was NOT entered: {refusal}")
            return self._signed(document)
        say(
            f"this is entry {register.number} of {self.register}; to see if entries are cut off at its end "
            f"one day, keep this digest elsewhere: {digest}"
        )
        return entered

    def _signed(self, document: Mapping[str, Any]) -> dict[str, Any]:
        return {**document, SIGNATURE: None} if self.key is None else sign(document, self.key)


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
    parts = [] if file is None else [Digest.of_file(file, plain(Path(file).name))]
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
    return tuple(Digest.of_file(path, shown) for shown, path in sorted(found.items()))
