"""``noisewright predict`` from end to end: exact and asked models, files, pages and JSON."""

import json
import re
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from types import SimpleNamespace

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression

from command_line import run
from noisewright.cli.main import main
from noisewright.cli.predict import read_curve
from noisewright.utility.predict import predict_utility
from report.checking import check

PEOPLE = 40
SENSITIVE = ["--sensitive", "age=0:100", "--sensitive", "bmi=10:60"]
FEW = ["--epsilon", "1,2,4", "--mechanism", "OGPM,SWC"]
USUAL = ["data.csv", "--trust", *SENSITIVE, "--ignore", "sex", "--ignore", "ill"]


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    generator = np.random.default_rng(7)
    frame = pd.DataFrame(
        {"age": generator.uniform(20, 90, PEOPLE).round(3), "bmi": generator.uniform(16, 45, PEOPLE).round(3),
         "smokes": generator.integers(0, 2, PEOPLE), "sex": generator.choice(["F", "M"], PEOPLE)}
    )  # fmt: skip
    return frame.assign(ill=(frame.age + frame.bmi + 20 * frame.smokes > 95).astype(int))


@pytest.fixture(scope="module")
def models(people):
    rows, ill = people[["age", "bmi", "smokes"]], people.ill
    return {
        "linear": LogisticRegression(max_iter=1000).fit(rows, ill),
        "forest": RandomForestClassifier(5, random_state=0).fit(rows.to_numpy(), ill),
    }


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch, people, models):
    monkeypatch.chdir(tmp_path)
    people.to_csv("data.csv", index=False)
    for name, model in models.items():
        joblib.dump(model, f"{name}.joblib")
    return tmp_path


def output(capsys, *arguments) -> str:
    code = main(["predict", *map(str, arguments)])
    out, err = capsys.readouterr()
    assert code == 0, err
    return out


def written(capsys, *arguments) -> dict:
    """The result without its provenance, which holds the time."""
    found = json.loads(output(capsys, *arguments, "--json"))
    del found["provenance"]
    return found


@pytest.mark.parametrize("model", ["linear", "forest"])
def test_models_that_can_be_read_are_solved_exactly(capsys, people, models, model):
    found = written(capsys, f"{model}.joblib", *USUAL, *FEW)
    rows = people[["age", "bmi", "smokes"]]
    twin = predict_utility(
        models[model],
        rows.to_numpy(),
        features=list(rows),
        sensitive={"age": (0, 100), "bmi": (10, 60)},
        epsilons=[1, 2, 4],
        mechanisms=["OGPM", "SWC"],
    )
    assert found["prediction"]["exact"] is True
    assert found["prediction"]["average"]["low"] == twin.average.low.tolist()
    assert found["prediction"]["epsilon_of_a_record"] == [2.0, 4.0, 8.0]
    assert found["data"] == "data.csv"


def test_the_names_that_a_model_remembers_put_the_columns_in_order(capsys, people):
    people[["smokes", "ill", "sex", "bmi", "age"]].to_csv("shuffled.csv", index=False)
    straight = written(capsys, "linear.joblib", *USUAL, *FEW)
    shuffled = written(capsys, "linear.joblib", "shuffled.csv", "--trust", *SENSITIVE, *FEW)
    assert shuffled["prediction"]["average"] == straight["prediction"]["average"]
    named = ["--features", "age,bmi,smokes"]
    forest = written(capsys, "forest.joblib", "shuffled.csv", "--trust", *SENSITIVE, *FEW, *named)
    assert (
        forest["prediction"]["average"]
        == written(capsys, "forest.joblib", *USUAL, *FEW)["prediction"]["average"]
    )


def test_models_that_cannot_be_read_are_asked(capsys, folder, people, models):
    from skl2onnx import to_onnx

    rows = people[["age", "bmi", "smokes"]].to_numpy(dtype=np.float32)
    written_model = to_onnx(models["linear"], rows[:1], options={"zipmap": False}, target_opset=15)
    (folder / "linear.onnx").write_bytes(written_model.SerializeToString())
    chosen = [*FEW, "--record", 3, "--record", 9]
    asked = [*chosen, "--queries", 4000, "--seed", 1, "--confidence", 0.95]
    command = ["linear.onnx", "data.csv", *SENSITIVE, "--ignore", "sex", "--ignore", "ill", *asked]
    found = written(capsys, *command)["prediction"]
    assert found["exact"] is False
    assert found["confidence"] == pytest.approx(0.95)
    assert found["queries"] > 0
    assert list(found["by_record"]) == ["3", "9"]
    exact = np.array(written(capsys, "linear.joblib", *USUAL, *chosen)["prediction"]["average"]["estimate"])
    low, high = (np.array(found["average"][side]) for side in ("low", "high"))
    assert ((low <= exact) & (exact <= high)).all()
    assert (high - low).max() < 0.5
    assert written(capsys, *command)["prediction"] == found
    assert "With 95 % confidence all bounds hold together" in " ".join(output(capsys, *command).split())


class Oracle(BaseHTTPRequestHandler):
    """An endpoint that answers by age alone, and only to those who know the token."""

    asked: list[int] = []  # noqa: RUF012

    def do_POST(self):
        rows = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["rows"]
        self.asked.append(len(rows))
        known = self.headers["Authorization"] == "Bearer open sesame"
        body = json.dumps({"labels": ["old" if row[0] > 50 else "young" for row in rows]}).encode()
        self.send_response(200 if known else 403)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def test_an_endpoint_is_asked_in_batches_with_its_token(capsys, monkeypatch):
    monkeypatch.setenv("ORACLE_TOKEN", "open sesame")
    server = HTTPServer(("127.0.0.1", 0), Oracle)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        address = f"http://127.0.0.1:{server.server_port}/score"
        options = ["--epsilon", 2, "--mechanism", "OGPM", "--record", 1, "--queries", 600, "--batch", 200]
        token = ["--token-env", "ORACLE_TOKEN", "--classes", "young,old", "--seed", 2]
        found = written(capsys, address, *USUAL, *options, *token)
    finally:
        server.shutdown()
        server.server_close()
    assert found["model"] == f"endpoint {address}"
    assert max(Oracle.asked) <= 200
    assert sum(Oracle.asked) >= found["prediction"]["queries"] > 0
    assert "sesame" not in json.dumps(found)


def test_the_whole_report(capsys, folder):
    text = output(capsys, "forest.joblib", *USUAL, "--group", "sex", "--target", "0.8", "--html", "page.html")
    page = check((folder / "page.html").read_text(encoding="utf-8"))
    for part in ("Least ε for a utility of 0.8", "Records that lose most", "sex = F", "exact"):
        assert part in page.prose
        assert part in text
    assert "from ε = " in text
    for shown in (text, page.prose):
        assert "no ε accounts for" in " ".join(shown.split())
        assert "forest.joblib (RandomForestClassifier)" in shown
        assert "keep it as confidential as the data" in " ".join(shown.split())
    assert max(map(len, text.splitlines())) <= 110


def test_no_value_of_a_record_is_shown(capsys, folder, people):
    text = output(capsys, "forest.joblib", *USUAL, *FEW, "--group", "sex", "--html", "page.html")
    shown = text + (folder / "page.html").read_text(encoding="utf-8")
    for value in [*people.age, *people.bmi]:
        assert f"{value:.3f}" not in shown


def test_a_target_is_reached_where_it_is_said_to_be(capsys, people, models):
    found = written(capsys, "linear.joblib", *USUAL, "--target", 0.85, "--mechanism", "OGPM", "--record", 4)
    least = found["target"]["least_epsilon"]["OGPM"]
    rows = people[["age", "bmi", "smokes"]]
    for scope, record in (("average", 4), ("records", 4)):
        epsilon = least[scope] if scope == "average" else least[scope]["4"]
        if epsilon is None:
            continue
        twin = predict_utility(
            models["linear"],
            rows,
            sensitive={"age": (0, 100), "bmi": (10, 60)},
            epsilons=[epsilon],
            mechanisms=["OGPM"],
            records=[record],
        )
        assert twin.average.low[0, 0] >= 0.85 - 1e-9
    assert least["average"] == least["worst"] == least["records"]["4"]


def test_true_answers_count_what_is_right_and_not_what_stays(capsys, people, models):
    kept = ["linear.joblib", "data.csv", "--trust", *SENSITIVE, "--ignore", "sex"]
    right = written(capsys, *kept, *FEW, "--answers", "ill")["prediction"]
    same = written(capsys, *kept, *FEW, "--ignore", "ill")["prediction"]
    wrong = (models["linear"].predict(people[["age", "bmi", "smokes"]]) != people.ill).mean()
    assert right["reference"] != same["reference"]
    if wrong:
        assert right["average"]["low"] != same["average"]["low"]
    assert "the true answer, which is in column ill" in output(capsys, *kept, *FEW, "--answers", "ill")


def test_groups_are_averages_of_their_records(capsys, people):
    found = written(capsys, "forest.joblib", *USUAL, *FEW, "--group", "sex")["prediction"]
    sizes = {f"sex = {name}": count for name, count in people.sex.value_counts().items()}
    assert set(found["groups"]) == set(sizes)
    together = sum(sizes[name] * np.array(band["low"]) for name, band in found["groups"].items()) / PEOPLE
    assert together == pytest.approx(np.array(found["average"]["low"]))
    options = [*FEW, "--features", "age,bmi,smokes", "--group", "sex", "--group", "smokes"]
    both = written(capsys, "forest.joblib", "data.csv", "--trust", *SENSITIVE, *options)["prediction"]
    assert set(both["groups"]) == {f"sex = {s}, smokes = {n}" for s in "FM" for n in (0, 1)}


def test_a_budget_of_the_record_is_shared(capsys):
    each = written(capsys, "forest.joblib", *USUAL, "--epsilon", "1,2", "--mechanism", "OGPM")["prediction"]
    whole = written(
        capsys, "forest.joblib", *USUAL, "--epsilon", "2,4", "--mechanism", "OGPM", "--per", "record"
    )["prediction"]
    assert whole["epsilon_of_a_feature"] == each["epsilon_of_a_feature"] == [1.0, 2.0]
    assert whole["average"] == each["average"]


def test_a_sample_of_records(capsys):
    found = written(capsys, "forest.joblib", *USUAL, *FEW, "--records", 5, "--seed", 3)
    assert found["prediction"]["records"] == 5
    assert found == written(capsys, "forest.joblib", *USUAL, *FEW, "--records", 5, "--seed", 3)
    numbers = {loser["record"] for loser in found["losers"]}
    assert len(numbers) == 5
    assert numbers <= set(range(1, PEOPLE + 1))


def test_the_usual_curve_has_six_mechanisms_and_64_epsilons(capsys):
    found = written(capsys, "forest.joblib", *USUAL, "--records", 2)["prediction"]
    assert len(found["mechanisms"]) == 6
    assert found["epsilon_of_a_feature"] == list(read_curve("0.5:8"))


def test_the_published_number_stands_beside_ours(capsys, folder):
    options = [*FEW, "--published", "--record", 2, "--seed", 1]
    found = written(capsys, "linear.joblib", *USUAL, *options)["published"]
    assert "not a bound" in found["label"]
    assert np.shape(found["average"]) == (2, 3)
    text = output(capsys, "linear.joblib", *USUAL, *options, "--html", "page.html")
    assert "As published" in text
    assert "As published, for comparison" in check((folder / "page.html").read_text(encoding="utf-8")).prose


def test_help_is_there_and_shows_no_braces(capsys):
    assert main(["predict", "--help"]) == 0
    shown = capsys.readouterr().out
    for word in ("MODEL", "DATA", "--sensitive", "--trust", "--published", "confidential"):
        assert word in shown
    assert "{" not in shown


class Counted:
    """A model of age alone that counts the rows it is asked about."""

    rows = 0

    def __call__(self, rows):
        Counted.rows += len(rows)
        return np.where(rows[:, 0] > 50, 1, 0)


@pytest.fixture
def counted(folder, monkeypatch):
    """The counting model as a module that the command line can name."""
    (folder / "counted_model.py").write_text("from cli_counted import model\n")
    monkeypatch.setattr(Counted, "rows", 0)
    monkeypatch.setitem(sys.modules, "cli_counted", SimpleNamespace(model=Counted()))
    monkeypatch.delitem(sys.modules, "counted_model", raising=False)
    return "counted_model:model"


@pytest.mark.parametrize("budget", [None, 3000])
def test_all_questions_are_counted_and_stay_within_the_budget(capsys, counted, budget):
    options = [
        "--epsilon",
        2,
        "--mechanism",
        "OGPM",
        "--record",
        1,
        "--queries",
        2000,
        "--published",
        "--seed",
        1,
    ]
    limit = [] if budget is None else ["--budget", budget]
    found = written(capsys, counted, *USUAL, *options, *limit)
    assert found["asked"]["in_all"] == Counted.rows
    assert found["asked"]["budget"] == budget
    assert ("published" in found) == (budget is None)
    if budget is not None:
        assert found["prediction"]["asked_in_all"] < Counted.rows <= budget


def test_a_budget_below_the_queries_is_kept(capsys, counted):
    text = output(
        capsys, counted, *USUAL, "--epsilon", 2, "--mechanism", "OGPM", "--records", 9, "--budget", 700,
        "--published", "--width", "0.001",
    )  # fmt: skip
    assert Counted.rows <= 700
    flat = " ".join(text.split())
    assert f"the model was asked {Counted.rows} times in total" in flat
    assert re.search(r"up to [01]\.\d{3} for a record, MORE than the requested 0.001", flat)
    assert "The published number is missing" in flat
    assert "fewer records (--records N), more --queries and a larger --budget" in flat


def test_a_width_that_was_not_reached_is_said_on_standard_error_too(capsys, counted):
    request = [counted, *USUAL, "--epsilon", 2, "--mechanism", "OGPM", "--record", 1, "--queries", 2500]
    for width, reached in (("0.5", True), ("0.0005", False)):
        out, err = run(capsys, "predict", *request, "--width", width, "--json")
        assert json.loads(out)["prediction"]["width_reached"] is reached
        assert ("the widest interval is " in err) == (not reached)


@pytest.mark.parametrize("name", ["Exponential", "BinnedKRR"])
def test_grid_mechanisms_have_the_points_that_perturb_gives_them(capsys, folder, name):
    run(capsys, "perturb", "data.csv", "--interval", "age=0:100", "--mechanism", f"age={name}",
        "--epsilon", 2, "-o", "reports.csv")  # fmt: skip
    (points,) = re.findall(r'"points": (\d+)', (folder / "reports.csv.json").read_text(encoding="utf-8"))
    request = ["linear.joblib", *USUAL, "--epsilon", 2, "--record", 1, "--mechanism", name]
    usual = written(capsys, *request)
    assert usual == written(capsys, *request, "--points", points)
    assert usual != written(capsys, *request, "--points", 7)


def test_labels_from_a_file_cannot_steer_a_terminal(capsys, folder, people):
    evil = people.rename(columns={"sex": "s\x1b[31mx"}).replace({"F": "F\x1b]0;title\x07", "M": "<script>M"})
    evil.to_csv("evil.csv", index=False)
    options = ["--trust", *SENSITIVE, "--features", "age,bmi,smokes", "--group", "s\x1b[31mx", *FEW]
    text = output(capsys, "forest.joblib", "evil.csv", *options, "--html", "page.html")
    assert r"s\x1b[31mx = F\x1b]0;title\x07" in text
    assert all(line.isprintable() for line in text.splitlines())
    page = (folder / "page.html").read_text(encoding="utf-8")
    check(page)
    assert "\x1b" not in page
    assert "<script>M" not in page
