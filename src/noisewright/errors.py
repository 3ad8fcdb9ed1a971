"""Every error that Noisewright raises on purpose, as one small tree.

An error names the object, the value and the remedy in one sentence. No error text ever carries a
private value by default: messages name *where* a bad value stands, and the value itself only when the
value is public (a parameter, a column name) or cannot be a real measurement (NaN, text).
"""

from __future__ import annotations

from typing import Self


class NoisewrightError(Exception):
    """The root: catching it catches everything this package refuses on purpose.

    Args:
        message: What is wrong and what would be right, in one sentence that begins after the ``field``.
        field: The parameter at fault. Python shows its name; the command line shows the option instead.

    >>> str(InvalidParameter("must be above 0, got -1", field="most_loss"))
    'most_loss must be above 0, got -1'
    """

    def __init__(self, message: str = "", *, field: str = "") -> None:
        super().__init__(f"{field} {message}" if field else message)
        self.field = field


class InvalidParameter(NoisewrightError, ValueError):
    """A public parameter (ε, an interval, a loss) has no meaning."""


class OutOfDomain(NoisewrightError, ValueError):
    """A value does not belong to the declared domain."""


class BadTable(NoisewrightError, ValueError):
    """A table or file lacks a column, holds text where numbers belong, or cannot be read."""


class BadDocument(BadTable):
    """A JSON document from a stranger is broken, or exceeds a bound.

    Args:
        message: what is wrong, in one sentence.
        place: where in the document it is wrong, as far as that is known.
    """

    def __init__(self, message: str, place: str = "") -> None:
        super().__init__(message)
        self.place = place


class GuaranteeBroken(NoisewrightError):
    """The exact check found that the integers of a sampler do not keep the claimed guarantee."""


class NoTheorem(NoisewrightError, TypeError):
    """Two guarantees have no proved way to be composed or converted."""


class MissingExtra(NoisewrightError, ImportError):
    """A feature needs an optional dependency that is not installed."""

    @classmethod
    def of(cls, need: str, extra: str) -> Self:
        """Return the refusal that says what is needed and how to install the extra that provides it."""
        return cls(f"{need}; {installation(extra)}")


class BudgetSpent(NoisewrightError):
    """A report would cost more than its person, or its column, has left; nothing was spent."""


class BadLedger(NoisewrightError):
    """A ledger, or the key beside it, is missing, in use, damaged, or not a ledger at all."""


class ProtocolError(NoisewrightError):
    """A partner, or the network between, sent nothing or something that does not belong to the protocol."""


class BadModel(NoisewrightError):
    """A model cannot be opened, returned something that is not a label, raised, or did not answer in time."""


class BadRelease(NoisewrightError):
    """An algorithm cannot be released: it failed in a world, or its outputs cannot carry the proof."""


class BadMechanism(NoisewrightError):
    """A black box under audit crashed, hung, returned something unusable, or too little to judge it by."""


class FormulaCells(UserWarning):
    """A warning: some cells of a written CSV begin like spreadsheet formulas."""


def installation(extra: str) -> str:
    """Say how to install an extra from the place that this copy came from.

    Never by the name of the package alone: that name is not ours on any public index, and whoever registered
    it there would run their code on the machine of everybody who follows the advice.
    """
    source = _source(extra)
    if source is None:
        return f"in your copy of the project, run: pip install '.[{extra}]'"
    return f"run: pip install {source}"


def _source(extra: str) -> str | None:
    """Return the argument for pip: the folder of this code, or the place that it was installed from."""
    import json  # noqa: PLC0415  (a refusal is rare, and importing this module is free)
    from importlib import metadata  # noqa: PLC0415
    from pathlib import Path  # noqa: PLC0415
    from shlex import quote  # noqa: PLC0415
    from urllib.parse import urlsplit  # noqa: PLC0415
    from urllib.request import url2pathname  # noqa: PLC0415

    project = Path(__file__).resolve().parents[2]
    if (project / "src" / "noisewright" / "errors.py").is_file() and (project / "pyproject.toml").is_file():
        return f"-e {quote(f'{project}[{extra}]')}"
    try:
        origin = json.loads(metadata.distribution("noisewright").read_text("direct_url.json") or "null")
        address = urlsplit(origin["url"])
        if address.scheme == "file" and "dir_info" in origin:
            folder = Path(url2pathname(address.path))
            return quote(f"{folder}[{extra}]") if folder.is_dir() else None
        if address.scheme in ("http", "https"):  # without a password; the user of an ssh address stays
            address = address._replace(netloc=address.netloc.rpartition("@")[2])
        place = address.geturl()
        if "vcs_info" in origin:
            place = f"{origin['vcs_info']['vcs']}+{place}@{origin['vcs_info']['commit_id']}"
    except (metadata.PackageNotFoundError, AttributeError, KeyError, TypeError, ValueError):
        return None  # from an index, or by other means that left no trace
    return quote(f"noisewright[{extra}] @ {place}")
