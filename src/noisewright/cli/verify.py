"""``noisewright verify``: whether an audit's page, JSON or register is as it was signed, and by whom."""

from __future__ import annotations

from typing import Annotated

import typer

from noisewright.cli.one_domain import JsonOption


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
            help="For a register: the digest that was printed with an entry and kept elsewhere. That entry "
            "and all before it must still be there.",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Verify an audit: tell whether it was changed since it was signed, and who signed it.

    The exit code is 0 if all of it is signed by the key of --key and unchanged, 3 if it is shown to be
    changed, not signed by that key or without the entry of --kept, and 2 if nothing can be said: it is not
    signed, no key was given to compare with, or the file is none of ours.

    noisewright verify audit.html --key audit.pub

    noisewright verify audits.jsonl --key audit.pub
    """
    from noisewright.audit.verification import verify_file  # noqa: PLC0415
    from noisewright.cli.common import print_json, print_text  # noqa: PLC0415  (a verb loads what it uses)
    from noisewright.io.evidence import read_public_key  # noqa: PLC0415

    found = verify_file(file, None if key is None else read_public_key(key), kept)
    if as_json:
        print_json(found.to_dict())
    else:
        print_text(found.text)
    if found.exit_code:
        raise typer.Exit(found.exit_code)
