"""What strangers wrote is shown without anything hidden in it, and machines still read what was there."""

from __future__ import annotations

import json
import sys
import unicodedata

import pytest

from noisewright.text import INVISIBLE, json_text, plain, visible, visible_lines

HIDDEN = [letter for letter in map(chr, range(sys.maxunicode + 1)) if INVISIBLE.match(letter)]


def test_the_table_has_the_characters_that_python_calls_printable():
    assert len(HIDDEN) > 4000
    printable = {letter for letter in HIDDEN if letter.isprintable()}
    selectors = {*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0), *range(0x180B, 0x180E)}
    fillers = {0x115F, 0x1160, 0x3164, 0xFFA0, 0x034F, 0x17B4, 0x17B5, 0x2800, 0xFFFC, 0x2D7F, 0x1107F}
    assert printable >= set(map(chr, selectors | fillers))


@pytest.mark.parametrize("show", [visible, visible_lines, plain])
def test_every_invisible_character_is_shown_as_its_escape(show):
    for letter in HIDDEN:
        shown = show(f"age{letter}x")
        assert shown.isascii(), ascii(letter)
        assert shown.encode("ascii").decode("unicode_escape") == f"age{letter}x"


def test_json_shows_every_invisible_character_and_keeps_its_value():
    for letter in HIDDEN:
        text = json_text({f"age{letter}": letter})
        assert text.isascii(), ascii(letter)
        assert json.loads(text) == {f"age{letter}": letter}


@pytest.mark.parametrize(
    "name",
    [
        "Nguyễn Thị Hồng",
        "हिन्दी",
        "กำลังใจ",
        "محمد علي",
        "김민준",
        "İstanbul",
        "größe ε",
        "年齢",
        "שָׁלוֹם",
        "👍🏽",
        "\u00a0\u3000",
    ],
)
def test_letters_of_all_scripts_stay(name):
    for form in ("NFC", "NFD"):
        written = unicodedata.normalize(form, name)
        assert visible(written) == visible_lines(written) == json.loads(json_text(written)) == written
        assert json_text(written) == f'"{written}"'
