"""One lesson as it was asked for: checked, then played on a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from noisewright.cli.assignments import once
from noisewright.cli.label_specs import read_categories
from noisewright.cli.learn_records import Records, codes_of, read_classes, read_records
from noisewright.cli.numbers import read_epsilon
from noisewright.cli.predict_options import read_at_least, read_list
from noisewright.cli.specs import ANY_DOMAIN, read_domains
from noisewright.domains import Cells, Domain, Floats, NumericDomain
from noisewright.domains.numeric import WHAT_TO_DO
from noisewright.errors import BadTable, InvalidParameter
from noisewright.learn import Schema, Scorecard, read_schema
from noisewright.learn.chance import read_chance
from noisewright.learn.local import LEAST_CLIENTS
from noisewright.pages.learn_lesson import Lesson, Source
from noisewright.pages.learn_playing import Method, play

USUAL: Final = Method()


@dataclass(frozen=True)
class LearnRequest:
    """What is to be learned, from which columns, and how."""

    label: str
    epsilon: float
    domains: dict[str, Domain]
    listed: tuple[str, ...]
    method: Method
    out_of_domain: str
    seed: int | None

    @classmethod
    def of(
        cls,
        *,
        label: str,
        epsilon: str,
        intervals: Sequence[str],
        integers: Sequence[str],
        circles: Sequence[str],
        categories: Sequence[str],
        classes: str | None,
        method: str,
        learners: str | None,
        default: str | None,
        base: str | None,
        intercept: bool,
        out_of_domain: str,
        seed: int | None,
    ) -> LearnRequest:
        """Read the options and refuse what has no meaning, before any file is opened."""
        domains = _features(label, read_domains(intervals, circles, integers), categories)
        listed = read_list("--classes", classes)
        if len(listed) == 1:
            read_classes([], listed, label)
        if default is not None and listed and default not in listed:
            raise InvalidParameter(f"--default must be one of --classes, not {default!r}")
        if out_of_domain not in WHAT_TO_DO:
            raise InvalidParameter(f"--out-of-domain must be refuse or clip, not {out_of_domain!r}")
        read_at_least("--seed", seed, 0, "a whole number of 0 or more")
        how = _method(method, learners, default, base, intercept=intercept)
        return cls(label, read_epsilon(epsilon), domains, listed, how, out_of_domain, seed)

    def run(self, data: Path, test: Path | None) -> Lesson:
        """Play the clients with the rows of a file, and measure the result on another if there is one."""
        records = self._read(data)
        if len(records) < LEAST_CLIENTS:
            raise BadTable(f"{data} has {len(records)} rows; learning needs {LEAST_CLIENTS} clients or more")
        classes = read_classes(records.texts[self.label], self.listed, self.label)
        self._check(classes)
        schema, chance = read_schema(self.domains, list(self.domains)), read_chance(self.seed)
        units, codes = self._people(records, schema, classes)
        other = None if test is None else self._people(self._read(test), schema, classes)
        played = play(schema, classes, units, codes, self.epsilon, self.method, chance)
        return Lesson(
            source=Source(data.name, self.label, self._left_out(records), listed=bool(self.listed)),
            schema=schema,
            classes=classes,
            epsilon=self.epsilon,
            method=self.method,
            played=played,
            simulated=chance.simulated,
            test=None if other is None else Scorecard.measured(played.rule, *other, classes=classes),
            tested=None if test is None else test.name,
        )

    def _read(self, path: Path) -> Records:
        return read_records(path, self.domains, [self.label], self.out_of_domain)

    def _people(self, records: Records, schema: Schema, classes: Sequence[str]) -> tuple[Floats, Cells]:
        return schema.encode(records), codes_of(records.texts[self.label], classes, self.label)

    def _check(self, classes: Sequence[str]) -> None:
        """Refuse a method that does not fit the classes, once they are known."""
        default = self.method.default
        if default is not None and default not in classes:
            raise InvalidParameter(f"--default must be one of the classes, not {default!r}")
        self.method.check(len(classes))

    def _left_out(self, records: Records) -> tuple[str, ...]:
        return tuple(name for name in records.names if name not in (self.label, *self.domains))


def _features(
    label: str, numbers: Mapping[str, NumericDomain], categories: Sequence[str]
) -> dict[str, Domain]:
    """The domain of each feature, each named once and none of them the label."""
    labels = read_categories(categories)
    domains = once([*numbers.items(), *labels.items()], ANY_DOMAIN)
    if not domains:
        raise InvalidParameter(f"name at least one feature and where it lives, with {ANY_DOMAIN}")
    if label in domains:
        raise InvalidParameter(f"column {label!r} cannot be both --label and a feature")
    return domains


def _method(
    name: str, learners: str | None, default: str | None, base: str | None, *, intercept: bool
) -> Method:
    """The method that was asked for; what another method would use is refused."""
    if name == "local" and (base is not None or not intercept):
        raise InvalidParameter("--base and --no-intercept are for --method mrma")
    if name == "mrma" and (learners is not None or default is not None):
        raise InvalidParameter("--learners and --default are for --method local")
    chosen = read_list("--learners", learners) or USUAL.learners
    method = Method(name, chosen, default, USUAL.base if base is None else base, intercept)
    method.check()
    return method
