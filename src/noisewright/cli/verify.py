"""``noisewright verify``: check that an audit's page, JSON or register is unchanged, and who signed it."""

from __future__ import annotations

from typing import Annotated

import typer

from noisewright.cli.option_types import JsonOption
from noisewright.cli.output import show


def verify(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A page, the JSON or a register of noisewright audit.")
    ],
    key: Annotated[
        str | None,
        typer.Option(metavar="PUBLIC", help="The signer's public key, from: openssl pkey -pubout -in KEY."),
    ] = None,
    kept: Annotated[
        str | None,
        typer.Option(
            metavar="DIGEST",
            help="For a register: a digest that was printed with an entry and kept elsewhere. That entry and "
            "all before it must still be there.",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Verify an audit: check that it was not changed since it was signed, and who signed it.

    The exit code is 0 if all of it is signed by the key of --key and unchanged. It is 3 if it was changed, is
    not signed by the key of --key (or not at all), or lacks the entry of --kept. It is 2 if nothing can be
    said: no key was given to compare with, or noisewright audit did not write the file.

    noisewright verify audit.html --key audit.pub

    noisewright verify audits.jsonl --key audit.pub
    """
    from noisewright.audit.verification import verify_file  # noqa: PLC0415  (a verb loads what it uses)
    from noisewright.io.evidence import read_public_key  # noqa: PLC0415

    found = verify_file(file, None if key is None else read_public_key(key), kept)
    show(found.report(), inputs=[file], as_json=as_json)
    if found.exit_code:
        raise typer.Exit(found.exit_code)
