"""Which kind of column a mechanism needs."""

from __future__ import annotations

from noisewright.domains import FiniteDomain
from noisewright.domains.codes import Codes
from noisewright.engine.code_column import CodeColumn
from noisewright.engine.label_column import LabelColumn
from noisewright.engine.number_column import NumberColumn
from noisewright.engine.report_column import ReportColumn
from noisewright.errors import InvalidParameter
from noisewright.mechanisms import Mechanism, NumericMechanism


def column_of(name: str, mechanism: Mechanism) -> ReportColumn:
    """The column of a mechanism, by where its reports live.

    >>> from noisewright import Categories
    >>> from noisewright.mechanisms import KRR
    >>> column_of("smoker", KRR(Categories(["no", "yes"]), 1.0)).type
    DictionaryType(dictionary<values=string, indices=int32, ordered=0>)
    """
    try:
        return _kind(mechanism)(name, mechanism)
    except InvalidParameter as refusal:
        raise InvalidParameter(f"column {name!r}: {refusal}") from None


def _kind(mechanism: object) -> type[ReportColumn]:
    if isinstance(mechanism, NumericMechanism):
        return NumberColumn
    if isinstance(mechanism, Mechanism) and isinstance(mechanism.domain, FiniteDomain):
        if isinstance(mechanism.reports, FiniteDomain):
            return LabelColumn
        if isinstance(mechanism.reports, Codes):
            return CodeColumn
    raise InvalidParameter(
        "a column needs a mechanism for numbers, such as OGPM(Interval(40, 200), epsilon=2), or for labels"
    )
