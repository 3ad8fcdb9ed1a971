"""A result tells the command it came from, and none of the secrets, inputs and names in it."""

from __future__ import annotations

from pathlib import Path

import pytest

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
