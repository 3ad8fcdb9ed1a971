"""The pages of reports in a real browser: accessible, sortable, saved as CSV, and readable on a phone."""

from __future__ import annotations

from pathlib import Path

import pytest

from browser.findings import run_script


@pytest.mark.slow
def test_every_page_of_the_tour_works_in_a_browser(taken):
    found = run_script("report_pages.mjs", Path(taken["report"]).parent)
    assert len(found) >= 12
    assert [each for each in found if not each["good"]] == []
    assert sum(each["tables"] for each in found) > 20


@pytest.mark.slow
def test_faults_of_a_page_are_found(tmp_path):
    (tmp_path / "bad.html").write_text(
        "<!doctype html><title>x</title><p style='width:900px'>wide</p><script>nothing()</script>"
        "<table><tr><th>a</th></tr><tbody><tr><td>2</td></tr><tr><td>1</td></tr></tbody></table>"
    )
    (found,) = run_script("report_pages.mjs", tmp_path)
    assert not found["good"]
    assert found["overflow"] > 0
    assert found["axe"]
    assert found["refused"]
    assert found["csv"] == []
