"""Shells complete verbs and options."""

import os
import subprocess
import sys

import pytest

COMMAND = [sys.executable, "-m", "noisewright.cli"]


def asked(**variables: str) -> str:
    done = subprocess.run(
        COMMAND, env={**os.environ, **variables}, capture_output=True, text=True, check=True, timeout=600
    )
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_completes_verbs_and_options(shell):
    words = {"_NOISEWRIGHT_COMPLETE": f"complete_{shell}", "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    if shell == "bash":
        verb = asked(**words, COMP_WORDS="noisewright per", COMP_CWORD="1")
        option = asked(**words, COMP_WORDS="noisewright perturb --integ", COMP_CWORD="2")
    else:
        verb = asked(**words, _TYPER_COMPLETE_ARGS="noisewright per")
        option = asked(**words, _TYPER_COMPLETE_ARGS="noisewright perturb --epsilon 1 --epsilon 2 --integ")
    assert "perturb" in verb
    assert "estimate" not in verb
    assert "--integers" in option


def test_the_options_that_install_it_are_in_the_help():
    said = asked(_NOISEWRIGHT_COMPLETE="")
    assert "--install-completion" in said
    assert "--show-completion" in said
