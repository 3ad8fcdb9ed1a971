"""Which names open an account: every character there is, by what Unicode says of it."""

from __future__ import annotations

import sys
import unicodedata

import pytest

from noisewright import PureLDP
from noisewright.errors import BudgetSpent, InvalidParameter
from noisewright.ledger import Ledger
from noisewright.ledger.names import check_name

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


SOFT_DOTTED = (
    "ij\u012f\u0249\u0268\u029d\u02b2\u03f3\u0456\u0458\u1d62\u1d96\u1da4\u1da8\u1e2d\u1ecb\u2071\u2148\u2149\u2c7c"
    + "".join(chr(0x1D422 + 52 * font + place) for font in range(13) for place in (0, 1))
    + "\U0001df1a"
)
"""Letters of this property in Unicode 14: they lose their dot under a dot above, and look as before."""


@pytest.mark.parametrize("letter", [*SOFT_DOTTED, "\u0131", "\u0237", "i\u0323", "i\u0336", "\u012f\u0323"])
def test_an_i_or_j_under_a_dot_of_its_own_is_refused(letter):
    assert accepted(f"Al{letter}")
    for form in ("NFC", "NFD"):
        with pytest.raises(InvalidParameter, match=r"U\+0307\); write the plain letter"):
            check_name("person", unicodedata.normalize(form, f"Al{letter}\u0307"))


def test_a_turkish_capital_is_taken_and_its_careless_small_form_is_not():
    assert check_name("person", "\u0130pek") == check_name("person", "I\u0307pek") == "\u0130pek"
    assert not accepted("\u0130pek".lower())
    assert accepted("\u0130pek".replace("\u0130", "i"))


@pytest.mark.parametrize(
    "name",
    [
        "s\u0336\u0336", "o\u0338\u0338", "e\u0301\u0301", "\u00e9\u0301", "a\u0301\u0323\u0301", "\u1e61\u0307",
        "\u0915\u0902\u0902", "\u0915\u093e\u093e", "\u0e01\u0e49\u0e49", "\u0628\u0651\u0651", "\u304c\u3099", "a\u20dd\u20dd",
    ],
)  # fmt: skip
def test_an_accent_twice_on_one_letter_is_refused(name):
    with pytest.raises(InvalidParameter, match="the same accent twice"):
        check_name("person", f"anna {name}")


@pytest.mark.parametrize(
    "name",
    [
        "Nguy\u1ec5n Th\u1ecb Ng\u1ecdc Nh\u01b0 \u00dd", "Phan Th\u1ecb K\u1ef3 D\u01b0\u01a1ng", "Tr\u1ea7n \u0110\u1ee9c Ngh\u0129a",
        "अमिताभ बच्चन", "श्रीकृष्ण", "স্নিগ্ধা", "ਗੁਰਪ੍ਰੀਤ", "சௌந்தரராஜன்", "ശ്രീജിത്ത്", "వెంకటేశ్వర్లు", "සිරිමාවෝ", "བསྟན་འཛིན",
        "สมชาย ใจดี", "กิ่งกาญจน์", "น้ำผึ้ง", "ສົມສັກ", "សុខា", "အောင်ဆန်းစုကြည်", "مُحَمَّد", "عبد اللّٰه",
        "שָׁלוֹם", "김민준", "이서연", "山田 太郎", "が ぎ", "İbrahim Yıldız", "Işık Çağlar", "Jürgen", "Jiří Dvořák", "Żaneta Ćwiklińska",
        "Įsrutė", "Їжак Юлія", "Йосип", "Ἀριστοτέλης", "Ọlá\u0300 Ṣẹ́gun", "Þórdís", "Guðrún", "O'Neil", "Anna-Lena",
    ],
)  # fmt: skip
def test_names_of_many_languages_are_taken_in_either_form(name):
    composed, decomposed = (unicodedata.normalize(form, name) for form in ("NFC", "NFD"))
    assert check_name("person", composed) == check_name("person", decomposed) == composed


def test_every_precomposed_character_is_taken_decomposed():
    letters = [letter for letter in map(chr, range(sys.maxunicode + 1)) if unicodedata.decomposition(letter)]
    for letter in filter(lambda letter: accepted(f"an{letter}na"), letters):
        assert accepted(unicodedata.normalize("NFD", f"an{letter}na")), ascii(letter)


def test_other_look_alikes_stay_apart():
    """The threat model names these: refusing either would refuse people's own names."""
    pairs = [
        ("\u015f", "\u0219"), ("\u0643\u064a", "\u06a9\u06cc"), ("a-b", "a\u2010b"), ("a-b", "a\u2013b"), ("O'N", "O\u2019N"),
        ("a \u0301b", "a \u00b4b"),
    ]  # fmt: skip
    for one, other in pairs:
        assert check_name("person", one) != check_name("person", other)


def test_names_that_look_different_stay_apart():
    """Case, compatibility forms and letters of other alphabets: who is who is for the caller to know."""
    names = ["anna", "Anna", "\uff41nna", "\u0430nna", "\ufb01n", "fin", "Zo\u00eb", "Zoe"]
    assert len({check_name("person", name) for name in names}) == len(names)
