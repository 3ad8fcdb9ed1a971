"""GPX of strangers, old and new, and GPX as an attack: one sentence for all that is no route."""

from __future__ import annotations

import tracemalloc
from contextlib import suppress

import pytest

from noisewright.errors import BadTable, InvalidParameter
from noisewright.trajectory.files import gpx as gpx_files
from noisewright.trajectory.files import read_routes, write_routes
from noisewright.trajectory.routes import Routes

SECRET = "731731"
NEW = 'version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1"'
OLD = 'version="1.0" creator="x" xmlns="http://www.topografix.com/GPX/1/0"'
POINT = '<trkpt lat="35.6" lon="139.7"/>'


def read(tmp_path, content, **options):
    (tmp_path / "trips.gpx").write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_routes(tmp_path / "trips.gpx", **options)


def gpx(inside, head=NEW):
    return f"<?xml version='1.0' encoding='UTF-8'?><gpx {head}>{inside}</gpx>"


def track(points=POINT, name=""):
    return f"<trk>{name and f'<name>{name}</name>'}<trkseg>{points}</trkseg></trk>"


@pytest.mark.parametrize("head", [NEW, OLD, "", 'xmlns:g="urn:other"'])
def test_versions_with_and_without_a_namespace_are_read(tmp_path, head):
    assert read(tmp_path, gpx(track(), head)).routes.points.tolist() == [[139.7, 35.6]]


def test_a_prefix_for_gpx_makes_no_difference(tmp_path):
    text = gpx(
        "<g:trk><g:trkseg><g:trkpt lat='1' lon='2'/></g:trkseg></g:trk>",
        "xmlns:g='http://www.topografix.com/GPX/1/1'",
    )
    found = read(tmp_path, text.replace("<gpx", "<g:gpx").replace("</gpx", "</g:gpx"))
    assert found.routes.points.tolist() == [[2, 1]]


def test_segments_and_planned_routes_are_routes_and_the_rest_is_left_behind(tmp_path):
    inside = """
    <metadata><name>ignored</name><author><name>Ada</name></author><time>2020-01-01T00:00:00Z</time></metadata>
    <wpt lat="1" lon="1"><name>home</name><time>2019-01-01T00:00:00Z</time></wpt>
    <rte><name>plan</name><rtept lat="10" lon="20"><time>1970-01-01T00:00:01Z</time></rtept></rte>
    <trk><name>ride &amp; walk</name><extensions><name>ignored</name></extensions>
      <trkseg><trkpt lat="1" lon="2"><ele>7</ele><time>1970-01-01T00:00:05Z</time><name>ignored</name></trkpt>
              <trkpt lat="3" lon="4"><time>1970-01-01T00:00:03.5+00:00</time>
                <extensions><g:heart xmlns:g="urn:g"><g:time>ignored</g:time></g:heart></extensions></trkpt></trkseg>
      <trkseg><trkpt lat="5" lon="6"><time>1970-01-01T00:00:06Z</time></trkpt></trkseg></trk>"""
    found = read(tmp_path, gpx(inside))
    assert found.routes.names == ("plan", "ride & walk", "ride & walk (2)")
    assert [route.tolist() for route in found.routes] == [[[20, 10]], [[4, 3], [2, 1]], [[6, 5]]]
    assert found.routes.times.tolist() == [1, 3.5, 5, 6]
    assert found.about is found.reported is None


def test_names_given_after_the_points_and_names_not_given(tmp_path):
    found = read(
        tmp_path,
        gpx(
            track()
            + f"<trk><trkseg>{POINT}</trkseg><name>late</name></trk>"
            + "<trk><name/><trkseg>"
            + POINT
            + "</trkseg></trk>"
        ),
    )
    assert found.routes.names == ("1", "late", "3")


def test_declared_encodings_are_read(tmp_path):
    text = gpx(track(name="café")).replace("UTF-8", "ISO-8859-1")
    assert read(tmp_path, text.encode("latin-1")).routes.names == ("café",)
    assert read(
        tmp_path, gpx(track(name="café")).replace("UTF-8", "UTF-16").encode("utf-16")
    ).routes.names == ("café",)


LAUGHS = "".join(f'<!ENTITY l{n + 1} "{f"&l{n};" * 10}">' for n in range(9))
OUTSIDE = '<!DOCTYPE gpx [<!ENTITY own SYSTEM "file:///etc/hostname">]>'
REFUSED = {
    "no bytes": ("", "is empty"),
    "not XML": ("731731", "it is not well-formed XML from line 1 on"),
    "cut off": (gpx(track())[:-10], "it is not well-formed XML"),
    "mismatched": (gpx("<trk></rte>"), "it is not well-formed XML"),
    "billion laughs": (f'<!DOCTYPE gpx [<!ENTITY l0 "731731">{LAUGHS}]><gpx>&l9;</gpx>', "it declares a document type"),
    "external entity": (f"{OUTSIDE}<gpx><trk><name>&own;</name></trk></gpx>", "it declares a document type"),
    "external document type": ('<!DOCTYPE gpx SYSTEM "http://example.org/gpx.dtd"><gpx/>', "it declares a document type"),
    "undefined entity": (gpx(track(name="&own;")), "it is not well-formed XML"),
    "odd encoding": (gpx(track()).replace("UTF-8", "x731731"), "an encoding that is not read|not well-formed"),
    "wide encoding": (gpx(track()).replace("UTF-8", "Shift_JIS"), "an encoding that is not read|not well-formed"),
    "no text": (gpx("").encode() + b"\xff", "it is not well-formed XML"),
    "another kind": ("<kml><trk/></kml>", "XML, but not GPX 1.0 or 1.1"),
    "another version": (gpx(track(), 'xmlns="http://www.topografix.com/GPX/2/0"'), "XML, but not GPX 1.0 or 1.1"),
    "deep": ("<gpx>" + "<a>" * 100_000, "its tags are nested more than 64 deep"),
    "nothing": (gpx(""), "it has no routes"),
    "waypoints": (gpx('<wpt lat="1" lon="1"/>'), "it has no routes"),
    "empty track": (gpx("<trk><name>731731</name></trk>"), "track 1 has no points"),
    "empty segment": (gpx(track() + f"<trk><trkseg>{POINT}</trkseg><trkseg/></trk>"), "segment 2 of track 2 has no points"),
    "empty route": (gpx("<rte/>"), "route 1 has no points"),
    "no longitude": (gpx(track('<trkpt lat="73.1731"/>')), "point 1 of segment 1 of track 1 needs numbers as lat and lon"),
    "text": (gpx(track(POINT + '<trkpt lat="731731N" lon="1"/>')), "point 2 of segment 1 of track 1 needs numbers"),
    "underscore": (gpx(track('<trkpt lat="7_3" lon="1"/>')), "needs numbers as lat and lon"),
    "digits": (gpx(track('<trkpt lat="\u0663" lon="1"/>')), "needs numbers as lat and lon"),
    "nan": (gpx(track('<trkpt lat="nan" lon="1"/>')), "segment 1 of track 1 has a missing or infinite coordinate"),
    "swapped": (gpx(track(POINT.replace("139.7", "35.7").replace("35.6", "139.6"))), "longitude and latitude look swapped: segment 1 of track 1"),
    "some times": (gpx(track(POINT + '<trkpt lat="1" lon="1"><time>1970-01-01</time></trkpt>')), "has 2 points but 1 times"),
    "two times": (gpx(track(POINT + '<trkpt lat="1" lon="1"><time>1970</time><time>1970</time></trkpt>')), "has 2 points but 1 times"),
    "bad time": (gpx(track('<trkpt lat="1" lon="1"><time>731731 o\'clock</time></trkpt>')), "segment 1 of track 1 has no readable time"),
    "odd mark": (gpx(track('<trkpt lat="1" lon="1"><extensions><n:reported xmlns:n="urn:noisewright:routes:1">731731</n:reported></extensions></trkpt>')), "reported of segment 1 of track 1 must be true or false"),
}  # fmt: skip


@pytest.mark.parametrize(("content", "sentence"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_route_is_refused_without_its_values(tmp_path, content, sentence):
    with pytest.raises(BadTable, match=sentence) as refusal:
        read(tmp_path, content)
    said = str(refusal.value)
    assert "trips.gpx" in said
    assert SECRET not in said
    assert "\n" not in said
    assert refusal.value.__suppress_context__ or refusal.value.__context__ is None


def test_a_choice_of_columns_has_no_meaning_here(tmp_path):
    with pytest.raises(InvalidParameter, match="in this format it may have no keys"):
        read(tmp_path, gpx(track()), columns={"route": "name"})


def test_a_file_too_large_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(gpx_files, "LARGEST", 1 << 20)
    with pytest.raises(BadTable, match="larger than 1 MiB"):
        read(tmp_path, gpx(track() + " " * (1 << 20)))


@pytest.mark.parametrize("letter", ["\x00", "\x07", "\x1f", "\ufffe"])
def test_names_that_xml_cannot_hold_are_refused_and_nothing_is_left(tmp_path, letter):
    with pytest.raises(BadTable, match="the name of route 1 has a control character, which GPX cannot hold"):
        write_routes(tmp_path / "out.gpx", Routes.of([[(1, 1)]], [f"a{letter}"]), about={})
    assert list(tmp_path.iterdir()) == []


BEHIND = "<rte><rtept lat='1' lon='2'/></rte>"
BOMBS = {
    "tags in one long namespace": f'<gpx xmlns:p="{"u" * 900_000}">{"<p:a>" * 60}{"</p:a>" * 60}{BEHIND}</gpx>',
    "attributes in one long namespace": (
        f'<gpx xmlns:p="{"u" * 900_000}"><rte ' + " ".join(f"p:a{n}='1'" for n in range(1000)) + "/></gpx>"
    ),
    "many points in one long namespace": f'<p:gpx xmlns:p="{"u" * 100_000}">{"<p:rte/>" * 20_000}</p:gpx>',
    "long names in one another": f"<gpx>{''.join(f'<a{n:080000}>' for n in range(60))}",
    "empty segments": f"<gpx><trk>{'<trkseg/>' * 100_000}",
    "one endless tag": f"<gpx><rte a='{'x' * 3_000_000}",
    "one endless comment": f"<gpx><!--{'x' * 3_000_000}",
    "many prefixes at every level": "<gpx>"
    + "".join("<a " + " ".join(f"xmlns:p{n}_{k}='u'" for k in range(400)) + ">" for n in range(60)),
}


@pytest.mark.parametrize("text", BOMBS.values(), ids=BOMBS)
def test_memory_is_linear_in_the_bytes_of_a_document(tmp_path, text):
    """Namespaces, tags and attributes cost what they take in the file, however they refer to each other."""
    (tmp_path / "trips.gpx").write_text("<gpx><rte><rtept lat='1' lon='2'/></rte></gpx>")
    read_routes(tmp_path / "trips.gpx")  # what loads when a file is first read is not the file's
    (tmp_path / "trips.gpx").write_text(text)
    tracemalloc.start()
    try:
        with suppress(BadTable):
            read_routes(tmp_path / "trips.gpx")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 8 * len(text) + (2 << 20)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (BOMBS["one endless tag"], "a tag or comment of it is longer than 1 MiB"),
        (BOMBS["one endless comment"], "a tag or comment of it is longer than 1 MiB"),
        (BOMBS["many prefixes at every level"], "more than 256 prefixes"),
        (BOMBS["empty segments"], "segment 1 of track 1 has no points"),
        ("<gpx><g:trk/></gpx>", "the prefix of one of its tags is declared nowhere"),
        ("<g:gpx xmlns:g='urn:g'/>", "not GPX 1.0 or 1.1"),
    ],
)
def test_bounds_are_told(tmp_path, content, sentence):
    with pytest.raises(BadTable, match=sentence):
        read(tmp_path, content)


def test_a_prefix_holds_only_inside_of_its_tag(tmp_path):
    inside = (
        '<e xmlns:n="urn:n" xmlns="urn:m"><trk><trkseg/></trk><n:a/></e>'
        f'{track()}<trk xmlns="urn:m"/><n:trk xmlns:n="http://www.topografix.com/GPX/1/1"><trkseg>{POINT}</trkseg></n:trk>'
    )
    assert len(read(tmp_path, gpx(inside)).routes.names) == 2
    with pytest.raises(BadTable, match="declared nowhere"):
        read(tmp_path, gpx('<e xmlns:n="urn:n"/><n:a/>'))


def test_long_texts_between_tags_are_no_long_tags(tmp_path):
    found = read(tmp_path, gpx(f"<desc>{'word ' * 500_000}</desc>{track()}{' ' * 2_000_000}"))
    assert found.routes.names == ("1",)
