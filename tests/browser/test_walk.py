"""The walk through a site finds what is wrong with it, and nothing on a page that is right."""

from __future__ import annotations

import pytest

from browser.findings import KINDS, in_words, site_findings

pytestmark = pytest.mark.slow

PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<link rel="icon" href="data:,"><meta name="viewport" content="width=device-width, initial-scale=1">
<style>body {{ color: #111; background: #fff }} a {{ color: #00f }} {style}</style></head>
<body><main><h1 id="top">{title}</h1>{body}</main></body></html>"""

GOOD = (
    '<p>See <a href="other/#top">the other page</a> or <a href="https://example.org/">another site</a>.</p>'
)
DARK = "@media (prefers-color-scheme: dark) { body { background: #333 } }"
FAULTS = {
    "accessibility": ("", DARK),
    "console": ("<script>console.error('a fault')</script>", ""),
    "foreign": ('<img alt="Far away" src="https://example.org/a.png">', ""),
    "missing": ('<img alt="Lost" src="lost.png">', ""),
    "overflow": ('<div style="width: 600px">wide</div>', ""),
    "links": ('<a href="nowhere/">a</a> <a href="other/#nothing">b</a>', ""),
}


def write(folder, name, body, style=""):
    path = folder / name / "index.html"
    path.parent.mkdir(exist_ok=True)
    path.write_text(PAGE.format(title=f"Page {name}", body=body, style=style), encoding="utf-8")


def test_nothing_is_wrong_with_a_good_site(tmp_path):
    site = tmp_path / "site"
    site.mkdir()
    write(site, "", GOOD)
    write(site, "other", '<p><a href="../">Back</a></p>')
    found = site_findings(site, tmp_path / "pictures")
    assert in_words(found) == ""
    assert (found["pages"], len(found["views"])) == (2, 4)
    assert len(list((tmp_path / "pictures").glob("*.png"))) == 8


def test_every_fault_is_found_where_it_is(tmp_path):
    write(tmp_path, "other", "<p>Right.</p>")
    for kind, (body, style) in FAULTS.items():
        write(tmp_path, kind, body.replace('href="', 'href="../'), style)
    found = site_findings(tmp_path)
    for kind in KINDS:
        assert {each["page"] for each in found[kind]} == {f"/{kind}/"}, (kind, in_words(found))
    assert {each["view"] for each in found["accessibility"]} == {"1280-dark", "390-dark"}
    assert {each["rule"] for each in found["accessibility"]} == {"color-contrast"}
    assert {each["view"] for each in found["overflow"]} == {"390-dark", "390-light"}
    assert [each["why"] for each in found["links"]] == ["no such page", "no such anchor"]
