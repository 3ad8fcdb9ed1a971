"""Documents of strangers: a value or a refusal of our own, whatever stands in them, at a cost like their size."""

from __future__ import annotations

import itertools
import json
import string
import tracemalloc
from functools import cache

import pytest

from attacks.strangers_documents import DOCUMENTS, Damage, deep
from noisewright import Interval
from noisewright.cli.mechanism_files import read_mechanism
from noisewright.domains import Domain, Product
from noisewright.errors import BadDocument, BadTable, InvalidParameter, NoisewrightError
from noisewright.io.strict_json import DEEPEST, SPARE, STRING, TIMES_TEXT, strict_json
from noisewright.release.model_file import load
from noisewright.trajectory.files import read_routes

SEEDS = 40


@cache
def valid(name):
    return DOCUMENTS[name].documents()


def peak_of(run):
    """What a call gives or refuses with, and the most memory that it had at a time."""
    tracemalloc.start()
    try:
        try:
            found = run()
        except NoisewrightError as refusal:
            found = refusal
        return found, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


# -- the reader ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "why", "place"),
    [
        ("", "stops being JSON at line 1, column 1", "line 1, column 1"),
        ('{"a": 1,\n "b"', "stops being JSON at line 2, column 5", "line 2, column 5"),
        ('{"a": [1, {"b": NaN}]}', "NaN is not a number", "a[1].b"),
        ("[-Infinity]", "-Infinity is not a number", "[0]"),
        ("[1, 1e400]", "too large", "[1]"),
        ("-1e999", "too large", "the whole"),
        (f'{{"n": {"9" * 309}}}', "too large", "n"),
        (f'{{"n": {"9" * 5000}}}', "too large", "n"),
        ('{"a": {"b": 1, "c": 2, "c": 3, "b": 4}}', "a name stands twice", "a.b"),
        ('{"a": {"b b": 1, "b b": 3}}', "a name stands twice", "a.'b b'"),
        ('["\\ud800"]', "half of a surrogate pair", "[0]"),
        ('{"\\udfff": 1}', "half of a surrogate pair", "the whole"),
        ('["\ud800"]', "not UTF-8", ""),
        (b'["\xff"]', "not UTF-8", ""),
        ("[" * (DEEPEST + 1) + "]" * (DEEPEST + 1), "deep in one another", ""),
        ("[" * 20_000, "deep in one another", ""),
        ("[" * 100_000, "too many lists", ""),
        (json.dumps(deep(300)), "deep in one another", ""),
        ('{"a":' * 9 + "NaN" + "}" * 9, "NaN is not a number", "a.a.a.a.a.a…"),
    ],
)
def test_what_is_not_strict_is_refused_by_its_place(text, why, place):
    with pytest.raises(BadDocument, match=why) as refusal:
        strict_json(text, "the card")
    assert refusal.value.place == place
    said = str(refusal.value)
    assert said.startswith("the card is not the strict JSON that Noisewright reads: ")
    assert "\n" not in said
    assert len(said) < 300


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        0,
        -1,
        10**307,
        0.1,
        1.7976931348623157e308,
        5e-324,
        "",
        "😀",
        "\0",
        [],
        {},
        deep(DEEPEST - 1),
    ],
)
def test_what_is_strict_is_read_as_it_is(value):
    for text in (json.dumps(value), json.dumps(value, ensure_ascii=False)):
        for given in (text, text.encode(), b"\xef\xbb\xbf" + text.encode(), f" \r\n{text}\t"):
            assert strict_json(given) == value


def test_a_text_that_is_too_long_is_not_looked_at():
    with pytest.raises(BadDocument, match="the card is larger than 9 bytes"):
        strict_json("[" * 10, "the card", largest=9)


LETTERS = [*string.ascii_letters, *string.digits]
NAMES = ["".join(name) for name in itertools.product(LETTERS, repeat=3)][:40_000]
COSTLY = {
    "objects": "[" + ",".join(["{}"] * 60_000) + "]",
    "lists": "[" + ",".join(["[]"] * 150_000) + "]",
    "lists of one": "[" + ",".join(["[0]"] * 200_000) + "]",
    "objects of one": "[" + ",".join(['{"":0}'] * 60_000) + "]",
    "names": "{" + ",".join(f'"{name}":0' for name in NAMES) + "}",
    "names with colons": "{" + ",".join(f'":{name}"\n :":"' for name in NAMES) + "}",
}
DENSE = {
    "a name twice": "{" + ",".join(['"a":0'] * 60_000) + "}",
    "texts": "[" + ",".join(['"ab"'] * 100_000) + "]",
    "pairs": "[" + ",".join(["[1,2]"] * 50_000) + "]",
    "whole numbers": "[" + ",".join(["300"] * 100_000) + "]",
    "numbers": "[" + ",".join(["1e1"] * 100_000) + "]",
    "wide letters": f'["😀{"a" * 500_000}"]',
    "records": "[" + ",".join(['{"x":1,"y":2.5}'] * 15_000) + "]",
    "of everything": "[" + ",".join(['[[300,301],"ab",{"c":"cd"}]'] * 15_000) + "]",
}


@pytest.mark.parametrize("text", COSTLY.values(), ids=COSTLY)
def test_texts_that_cost_many_times_their_size_are_refused_before_they_are_built(text):
    refusal, peak = peak_of(lambda: strict_json(text.encode()))
    assert isinstance(refusal, BadDocument)
    assert "for its size" in str(refusal)
    assert peak < 4 * len(text) + SPARE // 2


@pytest.mark.parametrize("text", DENSE.values(), ids=DENSE)
def test_no_text_costs_more_than_a_multiple_of_its_size(text):
    _, peak = peak_of(lambda: strict_json(text.encode()))
    assert peak < TIMES_TEXT * len(text.encode()) + SPARE


@pytest.mark.parametrize("end", ["", "\\"])
def test_a_text_that_is_never_closed_is_looked_at_once(end):
    """Otherwise every escaped quote begins another text to the end: 40 KB kept a device busy for 20 s."""
    unclosed = '"' + '\\"' * 20_000 + ":" * 20_000 + end
    assert [found.end() for found in STRING.finditer(unclosed)] == [len(unclosed)]
    with pytest.raises(BadDocument, match="stops being JSON"):
        strict_json(unclosed)


# -- every kind of document ------------------------------------------------------------------------


@pytest.mark.parametrize("name", DOCUMENTS)
def test_valid_documents_are_read(name, tmp_path):
    kind, read = DOCUMENTS[name], 0
    path = tmp_path / f"document{kind.suffix}"
    for document in valid(name):
        path.write_text(json.dumps(document), encoding="utf-8")
        found, _ = peak_of(lambda: kind.read(path))
        read += not isinstance(found, NoisewrightError)
    assert read >= 0.7 * len(valid(name))  # some of the random tasks make no sense by themselves


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", DOCUMENTS)
def test_damage_ends_in_a_value_or_a_refusal_of_our_own(name, tmp_path):
    kind, read = DOCUMENTS[name], 0
    path = tmp_path / f"document{kind.suffix}"
    for seed in range(SEEDS):
        damage = Damage(seed)
        text = damage.of(damage.draw.choice(valid(name)))
        path.write_text(text, encoding="utf-8")
        found, peak = peak_of(lambda: kind.read(path))
        most = TIMES_TEXT * len(text.encode()) + SPARE
        assert peak < most, f"seed {seed}"
        if isinstance(found, NoisewrightError):
            assert len(str(found)) < 2000, f"seed {seed}"
        else:
            read += 1
            shown, peak = peak_of(lambda: repr(found) + str(getattr(found, "card", found)))  # noqa: B023
            assert isinstance(shown, str), f"seed {seed}"
            assert peak < most, f"seed {seed}"
    assert 0 < read < SEEDS


# -- small documents that were costly --------------------------------------------------------------


@pytest.fixture
def release(tmp_path):
    """Write the release of a mean with a changed card."""

    def written(**changes):
        document = json.loads(json.dumps(valid("release")[0]))
        document["card"] |= changes
        path = tmp_path / "release.json"
        path.write_text(json.dumps(document), encoding="utf-8")
        return path

    return written


def test_a_card_of_ten_million_features_makes_up_no_names_for_them(release):
    load(release())  # what loads when a file is first read is not the file's
    refusal, peak = peak_of(lambda: load(release(features=10**7)))
    assert isinstance(refusal, BadTable)
    assert "features of the card must be at most 10,000" in str(refusal)
    assert peak < SPARE


@pytest.mark.parametrize("variance", [10**400, 10**309, -1, "1", None, True])
def test_a_variance_that_cannot_be_printed_is_refused(release, variance):
    with pytest.raises(BadTable, match=r"total_variance|too large \(at card\.total_variance\)"):
        load(release(total_variance=variance))
    assert str(load(release(total_variance=1e308)).card)


def nested(levels):
    domain = Interval(0, 1).to_dict()
    for _ in range(levels):
        domain = {"kind": "product", "parts": {"a": domain}}
    return domain


@pytest.mark.parametrize("levels", [17, 300, 5000])
def test_products_without_end_are_refused(levels, tmp_path):
    with pytest.raises(InvalidParameter, match=r"deep in one another|without end"):
        Domain.from_dict(nested(levels))
    if levels < 5000:  # what Python itself writes
        parts = {"mechanism": "OGPM", "epsilon": 1.0, "domain": nested(levels)}
        path = tmp_path / "law.json"
        path.write_text(
            json.dumps({"noisewright": "mechanism", "format": 1, "package": "0", "mechanism": parts})
        )
        with pytest.raises(BadTable, match="deep in one another"):
            read_mechanism(path)


def test_products_of_products_are_read():
    assert isinstance(Domain.from_dict(nested(16)), Product)
    inner = Product(a=Interval(0, 1))
    for _ in range(15):
        inner = Product(a=inner, b=Interval(0, 1))
    with pytest.raises(InvalidParameter, match="more than 16 deep"):
        Product(a=inner)


def test_a_collection_of_nothing_costs_no_more_than_its_bytes(tmp_path):
    path = tmp_path / "routes.geojson"
    path.write_text('{"type":"Point","coordinates":[1,2]}')
    read_routes(path)  # what loads when a file is first read is not the file's
    text = '{"type":"FeatureCollection","features":[' + ",".join(["{}"] * 200_000) + "]}"
    path.write_text(text)
    refusal, peak = peak_of(lambda: read_routes(path))
    assert isinstance(refusal, BadTable)
    assert "too many lists and objects" in str(refusal)
    assert peak < 4 * len(text) + (4 << 20)
