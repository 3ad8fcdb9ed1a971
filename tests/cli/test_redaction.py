"""A result tells the command it came from, and none of the secrets, inputs and names in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from noisewright.cli.main import main
from noisewright.cli.output import redact

HIDES = [
    ["--left", "hunter2"],
    ["--right", "hunter2"],
    ["--left=hunter2"],
    ["--left", "--hunter2"],
    ["--header", "Authorization: Bearer hunter2"],
    ["--header", "X-Anything: hunter2"],
    ["--header", "hunter2"],
    ["--header=X-Anything: hunter2"],
    ["--header", "X-Api-Key=hunter2-hunter2"],
    ["--token", "hunter2"],
    ["--api-key=hunter2"],
    ["--url", "https://noise.example/release?k=hunter2"],
    ["--url", "https://noise.example/release#hunter2"],
    ["--url=https://ann:hunter2@noise.example/"],
    ["--command", "./tool --token hunter2 {input}"],
    ["--command", "./tool --token=hunter2 {input}"],
    ["--command", "./tool --password 'hunter2 hunter2' {input}"],
    ["--command", './tool --client-secret="hunter2" {input}'],
    ["--command", "./tool -key hunter2 {input}"],
    ["--command", "env API_KEY=hunter2 ./tool {input}"],
    ["--command", "curl -H 'Authorization: Bearer hunter2' -d @{input} https://noise.example"],
    ["--command", 'curl -H "X-Auth-Token: hunter2" -d @{input} https://noise.example'],
    ["--command", "curl -d @{input} https://noise.example/?a=1&key=hunter2"],
    ["--command", "./tool hunter2 {input}"],
    ["--command", "./tool --token\thunter2 '--token' hunter2 -phunter2 {input}"],
    ["--command", """./tool --data '{"password":"hunter2"}' --auth Bearer\\ hunter2 {input}"""],
    ["--command", "./tool --password 'a b' 'hunter2"],
    ["--command=MYSQL_PWD=hunter2 ./tool {input}"],
]


@pytest.mark.parametrize("words", HIDES)
def test_secrets_and_inputs_are_not_told(words):
    told = redact([*words, "--samples", "2e4"])
    assert "hunter2" not in " ".join(told)
    assert "…" in " ".join(told)
    assert told[-2:] == ["--samples", "2e4"]


@pytest.mark.parametrize(
    "words",
    [
        ["mymodule:release", "--vectorized", "--pair", "a.csv", "b.csv", "--claim", "epsilon=1,delta=1e-6"],
        ["--command", "./tool --in {input} -n {count}"],
        ["--token-env", "NOISE_TOKEN", "--url", "https://noise.example/release"],
        ["--url", "https://noise.example/", "--header", "X-Api-Key=MY_KEY", "--header=Cookie=MY_COOKIE"],
        ["--bounds", "age=0:120,pay=0:1e6", "--epsilon=0:4", "--sign", "audit.key", "--register", "a.jsonl"],
    ],
)
def test_all_else_is_told_as_it_was_typed(words):
    assert redact(words) == words


def test_a_home_is_not_named_nor_are_letters_that_steer_a_terminal(monkeypatch):
    monkeypatch.setattr(Path, "home", lambda: Path("/home/ann"))
    assert redact(["--database", "/home/ann/people.csv"]) == ["--database", "~/people.csv"]
    assert redact(["--database", "/home/bob/people.csv", "C:\\Users\\bob\\a"]) == [
        "--database", "/home/…/people.csv", "C:\\Users\\…\\a"
    ]  # fmt: skip
    assert redact(["--database=/home/ann/\x1b[2J.csv"]) == ["--database=~/\\x1b[2J.csv"]


def test_folders_are_not_named_but_those_below_the_current_one(monkeypatch, tmp_path):
    monkeypatch.setattr(Path, "home", lambda: Path("/home/ann"))
    monkeypatch.chdir(tmp_path)
    shown = {
        "/srv/acme corp/clients/x.csv": "…/x.csv",
        "code=@/srv/acme/codes.txt": "code=@…/codes.txt",
        "/home/ann/acme/x.csv": "~/…/x.csv",
        "/home/bob/acme/x.csv": "/home/…/x.csv",
        "D:\\acme\\clients\\x.csv": "…\\x.csv",
        "C:\\Users\\bob\\acme\\x.csv": "C:\\Users\\…\\x.csv",
        f"{tmp_path}/data/x.csv": "data/x.csv",
        "../data/x.csv": "…/x.csv",
        "-o/srv/clinic/x.csv": "-o…/x.csv",
        "//srv/clinic/x.csv": "…/x.csv",
        "/srv//clinic/x.csv": "…/x.csv",
        "\\\\server\\share\\ann\\x.csv": "…\\x.csv",
        "~bob/acme/x.csv": "…/x.csv",
        "age:/srv/clinic/x.json": "age:…/x.json",
        "file:///srv/clinic/x.csv": "…/x.csv",
        "/srv/O'Brien/clinic/x.csv": "…/x.csv",
        "https://noise.example/a/b": "https://noise.example/a/b",
        "1/4": "1/4",
    }
    assert redact(shown) == list(shown.values())


def test_a_page_names_no_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = tmp_path.parent / f"{tmp_path.name}-acme" / "clients"
    folder.mkdir(parents=True)
    (folder / "people.csv").write_text("age\n20\n60\n")
    files = [str(folder / name) for name in ("people.csv", "reports.parquet", "page.html")]
    usual = ["--epsilon", "1", "--integers", "age=0:99"]
    assert main(["perturb", files[0], *usual, "-o", files[1], "--html", files[2]]) == 0
    text = (folder / "page.html").read_text(encoding="utf-8")
    assert "…/people.csv" in text
    assert "acme" not in text


def test_json_names_files_as_the_command_does(capsys, tmp_path, monkeypatch):
    home = tmp_path / "ann"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    (home / "people.csv").write_text("age\n20\n60\n")
    (home / "trips.csv").write_text("route,x,y\na,0.1,0.2\na,0.3,0.4\n")
    perturb = ["--epsilon", "1", "--integers", "age=0:99", "-o", str(home / "reports.parquet"), "--json"]
    routes = ["--epsilon", "4", "--space", "0,0,1,1", "-o", str(home / "private.csv"), "--json"]
    assert main(["perturb", str(home / "people.csv"), *perturb]) == 0
    assert main(["routes", "perturb", str(home / "trips.csv"), *routes]) == 0
    out = capsys.readouterr().out
    assert str(home) not in out
    for name in ("people.csv", "reports.parquet", "trips.csv", "private.csv"):
        assert f'put": "~/{name}"' in out


def test_a_page_states_a_seed_only_where_chance_had_a_part(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    usual = ["--interval", "0:1", "--epsilon", "1", "--html", "page.html"]
    assert main(["explain", "ogpm", *usual]) == 0
    assert "<dt>Seed</dt>" not in (tmp_path / "page.html").read_text(encoding="utf-8")
    (tmp_path / "people.csv").write_text("age\n20\n60\n")
    perturb = ["--epsilon", "1", "--integers", "age=0:99", "-o", "reports.parquet", "--html", "other.html"]
    assert main(["perturb", "people.csv", *perturb]) == 0
    assert "<dt>Seed</dt><dd>fresh</dd>" in (tmp_path / "other.html").read_text(encoding="utf-8")
