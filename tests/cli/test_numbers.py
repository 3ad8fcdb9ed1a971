"""Whole numbers on the command line: one reader for all options."""

import inspect
import typing

import pytest

from command_line import refused
from noisewright.cli import main as verbs
from noisewright.cli.main import main
from noisewright.cli.options import read_whole
from noisewright.errors import InvalidParameter

PLAN = ["plan", "--epsilon", "1", "--integers", "age=0:9", "--json"]


@pytest.mark.parametrize("typed", ["10000", "10_000", "1e4", "1E+4", "0.1e5", "10000.0"])
def test_a_whole_number_is_read_however_it_is_typed(capsys, typed):
    assert main([*PLAN, "--people", typed]) == 0
    assert '"people": 10000' in capsys.readouterr().out


@pytest.mark.parametrize("typed", ["10,000", "1e400", "1e-4", "9.5", "ten", "", "1__0", "0x10", "nan", "٣"])
def test_what_is_no_whole_number_is_refused_with_how_to_type_one(capsys, typed):
    said = refused(capsys, *PLAN, "--people", typed)
    assert "'--people': a whole number is typed as 10000, 10_000 or 1e4; got" in said


def test_large_numbers_keep_every_digit():
    assert read_whole("9007199254740993", "", "") == 2**53 + 1
    with pytest.raises(InvalidParameter, match=r"wants a number; got '1{59}…"):
        read_whole("1" * 5000, "1" * 5000, "wants a number")


def test_every_option_of_a_whole_number_reads_it_in_this_way():
    found = 0
    for verb in _functions():
        for name, hint in typing.get_type_hints(verb, include_extras=True).items():
            if int in _kinds(hint):
                [option] = [each for each in hint.__metadata__ if hasattr(each, "parser")]
                assert option.parser is not None, f"{verb.__name__}: {name}"
                found += 1
    assert found > 25


def _functions():
    """The functions behind the verbs, and behind the verbs under them."""
    groups = [verbs.app, *(group.typer_instance for group in verbs.app.registered_groups)]
    commands = [command.callback for group in groups for command in group.registered_commands]
    assert all(inspect.isfunction(command) for command in commands)
    return commands


def _kinds(hint):
    """The types that a hint is made of."""
    inner = typing.get_args(hint)
    return set().union(*map(_kinds, inner)) if inner else {hint}
