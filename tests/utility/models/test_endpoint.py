"""Endpoints: the contract, retries, and everything a server can do wrong."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import numpy as np
import pytest

from noisewright.errors import BadModel, InvalidParameter
from noisewright.utility.models import BlackBox, open_model
from noisewright.utility.models.endpoint import Endpoint, Retries, retry_after
from utility.models.servers import Exchange, model_server

QUICK = Retries(attempts=3, first=0.001, longest=2.0)
ROWS = np.array([[39.5, 1.0], [61.25, 2.0], [40.0, 3.0]])


def ask(behave, rows=ROWS, **settings):
    with model_server(behave) as (url, seen):
        settings = {"retries": QUICK, "timeout": 0.3} | settings
        box = BlackBox(Endpoint(url, **settings), classes=("young", "old"))
        return box.ask(rows, np.arange(1, len(rows) + 1)).tolist(), seen


def test_a_good_endpoint_is_asked_in_batches():
    codes, seen = ask(Exchange.answer_over_forty, batch=2)
    assert codes == [0, 1, 0]
    assert [one.rows for one in seen] == [ROWS[:2].tolist(), ROWS[2:].tolist()]
    assert seen[0].headers["Content-Type"] == "application/json"
    assert "Authorization" not in seen[0].headers


def test_a_box_never_sends_more_than_the_endpoint_takes():
    with model_server(Exchange.answer_over_forty) as (url, seen):
        box = BlackBox(Endpoint(url, classes=("young", "old")), batch=65536)
        box.ask(np.full((1500, 1), 50.0), 1)
    assert [len(one.rows) for one in seen] == [1000, 500]


def test_predictions_is_a_name_for_labels_and_scores_need_classes():
    assert ask(lambda one: one.answer({"predictions": ["old", "old", "young"]}))[0] == [1, 1, 0]
    scores = {"predictions": [[0.9, 0.1], [0.2, 0.8], [0.4, 0.6]]}
    assert ask(lambda one: one.answer(scores))[0] == [0, 1, 1]
    with model_server(lambda one: one.answer(scores)) as (url, _), pytest.raises(BadModel, match="3 x 2"):
        BlackBox(Endpoint(url)).ask(ROWS, 1)


@pytest.mark.parametrize("status", [500, 503, 429])
def test_an_endpoint_may_fail_twice(status):
    def behave(one):
        if one.number < 3:
            one.answer(b"", status)
        else:
            one.answer_over_forty()

    codes, seen = ask(behave)
    assert codes == [0, 1, 0]
    assert len(seen) == 3


def test_an_endpoint_that_keeps_failing_is_refused_with_its_status_and_the_records():
    with pytest.raises(BadModel, match=r"status 500 \(3 attempts\) \(asked about records 1 to 3\)"):
        ask(lambda one: one.answer(b"record 61.25", 500))


def test_a_broken_connection_is_tried_again():
    def behave(one):
        if one.number < 2:
            one._handler.connection.close()
        else:
            one.answer_over_forty()

    codes, seen = ask(behave)
    assert codes == [0, 1, 0]
    assert len(seen) == 2


def test_an_answer_that_breaks_off_is_tried_again():
    def behave(one):
        if one.number < 2:
            one.answer(b'{"labels"', Content_Length="5000")
        else:
            one.answer_over_forty()

    assert ask(behave)[0] == [0, 1, 0]


def test_nobody_at_the_address():
    with model_server(Exchange.answer_over_forty) as (url, _):
        pass
    with pytest.raises(BadModel, match=r"could not be reached .ConnectionRefusedError"):
        BlackBox(Endpoint(url, retries=QUICK)).ask(ROWS, 1)


def test_a_hanging_endpoint_is_left():
    release = threading.Event()
    try:
        with pytest.raises(BadModel, match=r"did not answer within 0\.1 seconds \(2 attempts\)"):
            ask(lambda one: release.wait(600), timeout=0.1, retries=Retries(2, 0.001, 1.0))
    finally:
        release.set()


def test_an_answer_that_drips_is_left():
    release = threading.Event()

    def behave(one):
        one.answer(b"{", Content_Length="1000")
        while not release.wait(0.03):
            one._handler.wfile.write(b" ")

    try:
        with pytest.raises(BadModel, match="did not answer within"):
            ask(behave, timeout=0.15, retries=Retries(1, 0.001, 1.0))
    finally:
        release.set()


def test_retry_after_is_respected_and_bounded(monkeypatch):
    waits: list[float] = []
    monkeypatch.setattr("noisewright.utility.models.endpoint.time.sleep", waits.append)

    def behave(one, asked):
        if one.number < 2:
            one.answer(b"", 429, Retry_After=asked)
        else:
            one.answer_over_forty()

    ask(lambda one: behave(one, "2"))
    assert waits == [2.0]
    with pytest.raises(BadModel, match="asks to wait 3600 seconds, more than 2"):
        ask(lambda one: behave(one, "3600"))
    assert waits == [2.0]


def test_retry_after_may_be_a_date():
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=100), usegmt=True)
    assert 90 < (retry_after(soon) or 0) <= 100
    assert retry_after(None) is None


def test_waits_grow_without_a_header(monkeypatch):
    waits: list[float] = []
    monkeypatch.setattr("noisewright.utility.models.endpoint.time.sleep", waits.append)
    with pytest.raises(BadModel, match="5 attempts"):
        ask(lambda one: one.answer(b"", 502), retries=Retries(5, 1.0, 3.0))
    assert waits == [1.0, 2.0, 3.0, 3.0]


def test_redirects_are_refused_and_not_followed():
    with model_server(Exchange.answer_over_forty) as (elsewhere, seen):
        with pytest.raises(BadModel, match="redirects"):
            ask(lambda one: one.answer(b"", 307, Location=elsewhere))
        assert not seen


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"<html>61.25</html>", "not the strict JSON"),
        (b"\xff\xfe", "not the strict JSON"),
        (b'{"labels": [NaN, 1, 2]}', "not the strict JSON"),
        (b"[" * 100_000, "not the strict JSON"),
        (b"[1, 2, 3]", "must answer"),
        (b'{"labels": "old"}', "must answer"),
        (b'{"labels": [1], "predictions": [2]}', "must answer"),
        (b'{"labels": ["old", "old"]}', "2 labels for 3 rows"),
        (b'{"labels": ["old", "old", "old", "old"]}', "4 labels for 3 rows"),
        (b'{"labels": ["old", null, "old"]}', "record 2 is missing"),
        (b'{"labels": ["old", 0.5, "old"]}', "record 2 is a fraction"),
        (b'{"labels": ["old", "old", "dead"]}', "record 3 is not one"),
        (b'{"labels": [["old"], "old", 1]}', "rectangular"),
        (b'{"labels": ["old", "old", {"a": 1}]}', "record 3 is neither a whole number nor a text .dict"),
    ],
)
def test_garbage_is_refused(body, words):
    with pytest.raises(BadModel, match=words) as refusal:
        ask(lambda one: one.answer(body))
    assert "61.25" not in str(refusal.value)
    assert "record" in str(refusal.value)


@pytest.mark.parametrize("chunked", [False, True])
def test_an_answer_that_is_too_large_is_left(chunked):
    def behave(one):
        if chunked:
            one.answer(b"%x\r\n%s\r\n" % (5000, b" " * 5000), Transfer_Encoding="chunked")
        else:
            one.answer(b" " * 5000)

    with pytest.raises(BadModel, match="larger than 1000 bytes"):
        ask(behave, most_bytes=1000)


@pytest.mark.parametrize(("status", "words"), [(401, "token"), (403, "token"), (404, "404"), (204, "204")])
def test_other_statuses_are_refused_at_once(status, words):
    seen = []

    def behave(one):
        seen.append(one)
        one.answer(b"", status)

    with pytest.raises(BadModel, match=words):
        ask(behave)
    assert len(seen) == 1


def test_a_token_is_sent_and_never_shown(monkeypatch):
    monkeypatch.setenv("MODEL_TOKEN", "s3cret-token")
    with model_server(Exchange.answer_over_forty) as (url, seen):
        model = Endpoint(url, token_env="MODEL_TOKEN", classes=("young", "old"))
        BlackBox(model).ask(ROWS, 1)
    assert seen[0].headers["Authorization"] == "Bearer s3cret-token"
    assert "s3cret" not in repr(model) + str(vars(model)) + model.name


@pytest.mark.parametrize("token", [None, "", "two\nlines", "clé"])
def test_a_token_that_cannot_be_sent_is_refused_unseen(monkeypatch, token):
    monkeypatch.delenv("MODEL_TOKEN", raising=False)
    if token is not None:
        monkeypatch.setenv("MODEL_TOKEN", token)
    with pytest.raises(InvalidParameter, match="MODEL_TOKEN") as refusal:
        Endpoint("https://models.example/", token_env="MODEL_TOKEN")
    assert not token or token not in str(refusal.value)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://models.example/score", r"readable over the network; use https://\Z"),
        ("http://127.0.0.1.example.org/", "readable over the network"),
        ("https://ann:pa55@models.example/", "token_env"),
        ("https://models.example:99999/", "valid URL"),
        ("https:///score", "begins with https"),
        ("https://models.example/a b", "percent-encode"),
        ("https://models.example/\r\nHost: x", "percent-encode"),
        ("ftp://models.example/", "http:// and https://"),
    ],
)
def test_bad_addresses_are_refused(url, words):
    with pytest.raises(InvalidParameter, match=words) as refusal:
        open_model(url)
    assert "pa55" not in str(refusal.value)


def test_good_addresses():
    plain = open_model("http://models.example:8080/score", allow_plain=True, trust=True)
    assert plain.name.endswith(":8080/score")
    assert open_model("http://[::1]:8080/").name == "endpoint http://[::1]:8080/"
    hidden = open_model("https://models.example/score?key=pa55", trust=True)
    assert "pa55" not in repr(hidden) + hidden.name


def test_records_go_to_another_machine_only_with_trust():
    with pytest.raises(InvalidParameter, match=r"would receive the true records.*trust=True") as refusal:
        open_model("https://models.example/score?key=pa55")
    assert "pa55" not in str(refusal.value)


def test_a_key_in_the_query_reaches_the_server():
    with model_server(Exchange.answer_over_forty) as (url, seen):
        BlackBox(open_model(f"{url}?key=7", classes=["young", "old"])).ask(ROWS, 1)
    assert seen[0].path == "/score?key=7"


def test_proxies_of_the_environment_see_nothing(monkeypatch):
    with model_server(lambda one: one.answer(b"", 400)) as (proxy, passed):
        monkeypatch.setenv("http_proxy", proxy)
        assert ask(Exchange.answer_over_forty)[0] == [0, 1, 0]
        assert not passed


@pytest.mark.parametrize("settings", [{"timeout": 0}, {"timeout": float("nan")}])
def test_a_timeout_is_a_time(settings):
    with pytest.raises(InvalidParameter, match="timeout"):
        Endpoint("https://models.example/", **settings)


@pytest.mark.parametrize("shown", [{"token_env": "MODEL_TOKEN"}, {"headers": {"X-Api-Key": "MODEL_KEY"}}])
@pytest.mark.parametrize("where", ["model.onnx", "models:good", "ftp://models.example/"])
def test_only_an_address_is_shown_who_asks(where, shown):
    with pytest.raises(InvalidParameter, match="token_env and headers are for web addresses"):
        open_model(where, trust=True, **shown)
