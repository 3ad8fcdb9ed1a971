"""An audit as evidence: its provenance, its signature, and the register it is entered into."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from noisewright.errors import BadTable
from noisewright.io.evidence import SIGNATURE, fingerprint, read_private_key, sign
from noisewright.io.file_access import file_digest
from noisewright.io.register import LINK, check_register, open_register
from noisewright.progress import Status
from noisewright.report import Provenance, Report, Target
from noisewright.report.html import render_page
from noisewright.report.record import PAGE, page_digest, record_box
from noisewright.text import plain

AUDIT: Final = "audit"
GALLERY: Final = "audit gallery"
KINDS: Final = (AUDIT, GALLERY)
FORMAT: Final = 1

REFUTED: Final = 3
"""The exit code of a claim shown to be false, or of a file shown to be changed or signed by another key."""

INCONCLUSIVE: Final = 2
"""The exit code of an audit that can say nothing about its claim, or of a file whose signer is unknown."""

UNSIGNED: Final = "not signed: anybody may have changed it, the record included"
SIGNED: Final = "Ed25519; noisewright verify checks it; the key's fingerprint is"


@dataclass(frozen=True)
class Evidence:
    """The provenance, key and register of an audit.

    Attributes:
        provenance: When, with which versions and from which inputs the result was made.
        key: The key that signs it; None for none.
        register: The file of the register it is entered into; None for none.
    """

    provenance: Provenance
    key: Ed25519PrivateKey | None = None
    register: str | None = None

    @classmethod
    def of(cls, provenance: Provenance, key: str | None = None, register: str | None = None) -> Evidence:
        """Read the key's file, and refuse a key or a register that could not be used in the end."""
        if register is not None:
            check_register(register)
        return cls(provenance, None if key is None else read_private_key(key), register)

    def about(self, target: Target, files: Iterable[str | os.PathLike[str]] = ()) -> Evidence:
        """Return the evidence with the target of the audit, and the files it is run on."""
        digests = tuple(file_digest(file, plain(Path(file).name)) for file in files)
        return replace(self, provenance=replace(self.provenance, target=target, inputs=digests))

    def render(self, report: Report) -> str:
        """Return the page of a report, with its provenance and an empty record."""
        signature = UNSIGNED if self.key is None else f"{SIGNED} {fingerprint(self.key.public_key())}"
        return render_page(replace(report, provenance=self.provenance), [record_box()], signature)

    def seal(self, kind: str, result: Mapping[str, Any], page: str | None, tell: Status) -> dict[str, Any]:
        """Return the result as a document with its provenance, signed and entered as asked for.

        A register that can no longer be written is reported and costs no result: the document has no entry.

        Args:
            kind: The kind of result, one of ``KINDS``.
            result: The result in JSON values.
            page: The page whose record the document will be, if there is one.
            tell: Called with a sentence about the entry in the register.
        """
        document = {
            "noisewright": kind,
            "format": FORMAT,
            **result,
            "provenance": self.provenance.to_dict(),
            **({} if page is None else {PAGE: page_digest(page)}),
        }
        if self.register is None:
            return self._sign(document)
        try:
            with open_register(self.register) as register:
                entered = self._sign({**document, LINK: register.link})
                digest = register.append(entered)
        except BadTable as refusal:
            tell(f"the result was NOT entered: {refusal}")
            return self._sign(document)
        tell(
            f"this is entry {register.number} of {self.register}; to detect entries cut off later, keep this "
            f"digest elsewhere, for verify --kept: {digest}"
        )
        return entered

    def _sign(self, document: Mapping[str, Any]) -> dict[str, Any]:
        return {**document, SIGNATURE: None} if self.key is None else sign(document, self.key)
