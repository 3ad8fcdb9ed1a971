"""Outputs with more places than columns: those that tell the inputs apart are looked at, wherever they are."""

from __future__ import annotations

import random

import numpy as np
import pytest

from noisewright.audit import audit
from noisewright.audit.basics.outputs import Outputs
from noisewright.audit.encoding import feature_selection, fit_encoder
from noisewright.audit.encoding.feature_selection import choose_traits
from noisewright.audit.encoding.traits import Sample
from noisewright.audit.encoding.word_encoder import MOST_COLUMNS

TELLS = 140
"""The place that is the input; all others are noise."""


def noise(data, width=160):
    bits = random.choices((0, 1), k=width)
    bits[TELLS] = data
    return bits


def text(data):
    return "".join(map(str, noise(data)))


def raw(data):
    return int(text(data), 2).to_bytes(20, "big")


def short_list(data):
    return noise(data)[: random.randrange(145, 161)]


def named(data):
    return {
        f"k{place}": bit
        for place, bit in enumerate(noise(data))
        if random.random() < (0.7 if place == TELLS else 0.9)
    }


def members(data):
    return {place for place, bit in enumerate(noise(data, 400)) if bit}


def whole_number(data):
    return random.getrandbits(63) << 1 | data


def encoder_of(draw, rows=300, **options):
    random.seed(3)
    sides = [Outputs.of([draw(data) for _ in range(rows)]) for data in (0, 1)]
    return fit_encoder(*sides, **options)


@pytest.mark.parametrize(
    ("draw", "column"),
    [
        (text, "bit 140 of the output"),
        (raw, "bit 140 of the output"),
        (short_list, "place 140"),
        (named, "place k140"),
        (members, "place 140.0 is absent"),
        (whole_number, "bit 0 of the output"),
        (lambda data: [whole_number(0), whole_number(0), whole_number(data)], "bit 0 of place 2"),
    ],
)
def test_the_place_that_tells_has_a_column_wherever_it_is(draw, column):
    encoder = encoder_of(draw)
    assert column in encoder.columns
    assert len(encoder.columns) <= MOST_COLUMNS
    random.seed(4)
    table = encoder.features(Outputs.of([draw(data) for data in (0, 1, 0, 1)])).table
    answers = table[:, encoder.columns.index(column)]
    if draw not in (short_list, named):  # there the place may be missing
        assert answers.tolist() == ([1, 0, 1, 0] if "absent" in column else [0, 1, 0, 1])


@pytest.mark.parametrize("draw", [text, short_list, whole_number])
def test_an_audit_convicts_by_it(draw):
    # the true ε is infinite, and 2,100 bounding runs of each input show more than 6 of it
    random.seed(5)
    found = audit(draw, 0, 1, claim=1.0, samples=6_000, seed=1, jobs=1)
    assert found.verdict == "false"
    assert found.epsilon_lower() > 4


def test_what_is_left_out_is_counted():
    assert encoder_of(text).left_out.places == 160 - (MOST_COLUMNS - 1)
    assert encoder_of(text).left_out.met == 160
    few = encoder_of(lambda data: [*noise(data)[:50], None])
    assert (few.left_out.places, few.left_out.partly) == (0, 0)
    texts = encoder_of(lambda data: [f"word{random.randrange(1000)}", data])
    assert (texts.left_out.places, texts.left_out.partly, texts.left_out.met) == (0, 1, 2)


def test_a_rare_text_that_tells_is_preferred_to_frequent_ones():
    def draw(data):
        if random.random() < 0.01:
            return ["secret", 0.5] if data else ["else", 0.5]
        return [f"word{random.randrange(80)}", random.random()]

    columns = encoder_of(draw, rows=2_000).columns
    assert {"place 0 is secret", "place 0 is else"} <= set(columns)


def test_places_that_only_tell_together_are_not_crowded_out_by_accidents():
    def draw(data):
        bits = noise(0)
        bits[3] = bits[5] ^ data
        return "".join(map(str, bits))

    assert {"bit 3 of the output", "bit 5 of the output"} <= set(encoder_of(draw).columns)


def test_the_end_of_a_list_does_not_fill_all_columns_with_absences():
    def draw(data):
        return noise(data, 400)[: random.randrange(200 + 100 * data, 401)]

    columns = encoder_of(draw).columns
    assert "place 140" in columns
    assert sum(column.endswith("absent") for column in columns) <= MOST_COLUMNS / 2


def test_very_wide_outputs_are_looked_at_in_passes_of_bounded_size(monkeypatch):
    random.seed(6)
    rows, width, cells = 2_000, 1_000, 200_000
    sides = []
    for data in (0, 1):
        bits = np.random.default_rng(data).integers(0, 2, size=(rows, width))
        bits[:, 987] = np.random.default_rng(2 + data).random(rows) < (0.65 if data else 0.35)
        sides.append(Outputs.of(["".join(map(str, row)) for row in bits.tolist()]).words)
    passes = []

    def counted(sample, wanted=None):
        found = list(every_column(sample, wanted))
        passes.append((len(found), len(sample)))
        return found

    every_column = feature_selection.columns
    monkeypatch.setattr(feature_selection, "columns", counted)
    monkeypatch.setattr(feature_selection, "CELLS", cells)
    choice = choose_traits(Sample.of(*sides), 100)
    assert "bit 987 of the output" in [trait.column for trait in choice.traits]
    assert choice.left_out.places == 900
    assert [places for places, _ in passes] == [1000, 250, 100]
    assert all(places * outputs <= cells for places, outputs in passes)
    assert passes[0][1] < passes[1][1] < passes[2][1]


def test_wide_outputs_are_read_one_by_one(monkeypatch):
    encoder = encoder_of(named)
    outputs = Outputs.of([named(data % 2) for data in range(30)])
    whole = encoder.features(outputs).table
    parts = [encoder.features(outputs[row : row + 1]).table for row in range(30)]
    assert np.concatenate(parts).tolist() == whole.tolist()
    monkeypatch.setattr("noisewright.audit.encoding.paths.LETTERS", 5_000)  # a few outputs at a time
    assert encoder.features(outputs).table.tolist() == whole.tolist()
    assert encoder.features(outputs[:0]).table.shape == (0, len(encoder.columns))


def test_what_is_always_the_same_takes_no_column_from_what_is_not():
    columns = encoder_of(members).columns[1:]  # a member that is there is always "present"
    assert len(columns) == MOST_COLUMNS - 1
    assert all(column.endswith("is absent") for column in columns)
