"""Every way Noisewright refuses, as one small tree.

An error names the object, the value and the remedy in one sentence. No error text ever carries a
private value by default: messages name *where* a bad value stands, and the value itself only when the
value is public (a parameter, a column name) or cannot be a real measurement (NaN, text).
"""


class NoisewrightError(Exception):
    """The root: catching it catches everything this package refuses on purpose."""


class InvalidParameter(NoisewrightError, ValueError):
    """A public parameter (ε, an interval, a loss) has no meaning."""


class OutOfDomain(NoisewrightError, ValueError):
    """A value does not belong to the declared domain."""


class BadTable(NoisewrightError, ValueError):
    """A table or file lacks a column, holds text where numbers belong, or cannot be read."""


class BadDocument(BadTable):
    """A JSON document of a stranger is broken, or passes a bound.

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


class BudgetSpent(NoisewrightError):
    """A report would cost more than its person, or its column, has left; nothing was spent."""


class BadLedger(NoisewrightError):
    """A ledger, or the key beside it, is missing, in use, damaged, or not a ledger at all."""


class ProtocolError(NoisewrightError):
    """A partner, or whatever stands between, sent something that has no place in the protocol, or nothing."""


class BadModel(NoisewrightError):
    """A model cannot be opened, answered what is no label, raised, or did not answer in time."""


class BadRelease(NoisewrightError):
    """An algorithm cannot be released: it failed in a world, or its outputs cannot carry the proof."""


class BadMechanism(NoisewrightError):
    """A black box under audit crashed, hung, answered what is no output, or gave too little to judge by."""
