"""Which names open an account: every character there is, by what Unicode says of it."""

from __future__ import annotations

import sys
import unicodedata

import pytest

from noisewright import PureLDP
from noisewright.collect import Ledger
from noisewright.collect.names import check_name
from noisewright.errors import BudgetSpent, InvalidParameter

UNSEEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zs", "Zl", "Zp")
"""Kinds of characters that are not seen, or have no meaning of their own."""

UNSEEN_WORDS = (
    "VARIATION SELECTOR",
    "HANGUL FILLER",
    "CHOSEONG FILLER",
    "JUNGSEONG FILLER",
    "KHITAN SMALL SCRIPT FILLER",
    "KHMER VOWEL INHERENT",
    "COMBINING GRAPHEME JOINER",
    "BRAILLE PATTERN BLANK",
    "NULL NOTEHEAD",
    "HIEROGLYPH FULL BLANK",
    "HIEROGLYPH HALF BLANK",
    "OBJECT REPLACEMENT CHARACTER",
    "TIFINAGH CONSONANT JOINER",
    "BRAHMI NUMBER JOINER",
)
"""Words in the names of characters that are not seen, though their kind is that of letters, marks or signs."""


def accepted(name: str) -> bool:
    try:
        check_name("person", name)
    except InvalidParameter:
        return False
    return True


def test_every_character_that_is_seen_is_taken_and_no_other():
    wrong = []
    for letter in map(chr, range(sys.maxunicode + 1)):
        called = unicodedata.name(letter, "")
        hidden = unicodedata.category(letter) in UNSEEN or any(word in called for word in UNSEEN_WORDS)
        if accepted(f"an{letter}na") is hidden and letter != " ":
            wrong.append(f"U+{ord(letter):04X} {called}")
    assert not wrong


@pytest.mark.parametrize(
    "name", ["anna  lind", " anna", "anna ", "anna\u00a0lind", "anna\u2028lind", "\u2800", ""]
)
def test_blanks_are_single_spaces_between_words(name):
    assert accepted("anna lind")
    assert not accepted(name)


@pytest.mark.parametrize(
    "spelling", ["\ufe0f", "\u034f", "\u3164", "\u115f", "\u17b4", "\U000e0100", "\u2800", "\ue000"]
)
def test_a_spent_budget_is_spent_under_every_spelling(tmp_path, spelling):
    ledger = Ledger.create(tmp_path / "people.db", budget=1.0)
    ledger.spend("anna lind", "age", PureLDP(1.0))
    for name in (f"anna lind{spelling}", f"anna{spelling} lind", f"{spelling}anna lind"):
        with pytest.raises((InvalidParameter, BudgetSpent)):
            ledger.spend(name, "age", PureLDP(1.0))
    with pytest.raises(InvalidParameter):
        ledger.spend("berta", f"age{spelling}", PureLDP(1.0))


def test_names_that_look_different_stay_apart():
    """Case, compatibility forms and letters of other alphabets: who is who is for the caller to know."""
    names = ["anna", "Anna", "\uff41nna", "\u0430nna", "\ufb01n", "fin", "Zo\u00eb", "Zoe"]
    assert len({check_name("person", name) for name in names}) == len(names)
