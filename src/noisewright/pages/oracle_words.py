"""How a mechanism for labels draws its reports, in plain sentences."""

from __future__ import annotations

from functools import singledispatch

from noisewright.mechanisms import KRR, OLH, HadamardResponse, Mechanism, SubsetSelection, UnaryEncoding
from noisewright.pages.wording import label_word, labels_words, percent


@singledispatch
def label_law_words(mechanism: Mechanism) -> list[str]:
    """Sentences that say how a report comes about."""
    return [
        f"The report is one of {labels_words(mechanism.reports)}, drawn from a table of integers with a row "
        f"for every {label_word(mechanism.domain)} that may be true."
    ]


@label_law_words.register
def _(mechanism: KRR) -> list[str]:
    others = len(mechanism.domain) - 1
    one = label_word(mechanism.domain)
    lie = f"the other {one}" if others == 1 else f"one of the {others:,} others, all equally likely"
    return [f"With probability {percent(mechanism.hit)} the report is the true {one}; otherwise it is {lie}."]


@label_law_words.register
def _(mechanism: UnaryEncoding) -> list[str]:
    return [
        f"The report has a bit for each of the {labels_words(mechanism.domain)}.",
        f"The bit of the true {label_word(mechanism.domain)} is set with probability "
        f"{percent(mechanism.hit)}, every other bit with probability {percent(mechanism.miss)}.",
    ]


@label_law_words.register
def _(mechanism: OLH) -> list[str]:
    one = label_word(mechanism.domain)
    return [
        f"The report names a random way to spread the {labels_words(mechanism.domain)} over "
        f"{mechanism.hash_size} values, and one of these values.",
        f"With probability {percent(mechanism.hit)} it is the value of the true {one}; it is that of a given "
        f"other {one} with probability {percent(mechanism.miss)}.",
    ]


@label_law_words.register
def _(mechanism: SubsetSelection) -> list[str]:
    return [
        f"The report is a set of {mechanism.chosen:,} of the {labels_words(mechanism.domain)}.",
        f"The true {label_word(mechanism.domain)} is in it with probability {percent(mechanism.hit)}; the "
        "others are a random choice.",
    ]


@label_law_words.register
def _(mechanism: HadamardResponse) -> list[str]:
    one = label_word(mechanism.domain)
    return [
        f"The report is one of the {mechanism.reports.size:,} places of a code, in which every {one} prefers "
        f"{mechanism.block_size // 2:,} places of its own.",
        f"With probability {percent(mechanism.hit)} it is a random one of those that the true {one} prefers, "
        "otherwise a random one of all.",
    ]
