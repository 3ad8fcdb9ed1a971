"""A relative audit names the worst person, its bound holds after the search, and databases can be added."""

import numpy as np
import pyarrow as pa
import pytest

from noisewright.audit import audit_database, audit_relative
from noisewright.audit.neighbours import keeps_runs
from noisewright.audit.neighbours.relative_spectrum import share_of_failure
from noisewright.errors import BadMechanism, InvalidParameter

DATA = np.append(np.full(15, 0.1), [1.0, 0.2])


def total(data, count, generator):
    return np.sum(data) + generator.laplace(size=count)


@pytest.fixture(scope="module")
def found():
    return audit_relative(total, DATA, claim="epsilon=0.5", samples=40_000, vectorized=True, seed=1)


def test_the_worst_person_is_named_and_bounded(found):
    assert found.worst == "database 1: row 15 removed"
    assert found.verdict == "false"
    assert 0.5 < found.epsilon_lower() == found.spectrum.epsilon_lower() <= 1
    assert found.delta_lower(0.5) > 0
    assert found.samples <= 40_000 + 2
    assert len(found.screened) == len(DATA)
    assert found.screened[0].name == found.worst


def test_it_says_what_it_does_not_say(found):
    words = found.explain()
    assert "row 15 removed" in words
    assert "95 % confidence" in words
    assert "no upper bound is implied" in words
    assert found.spectrum.right == "database 1 with row 15 removed"
    assert (found.spectrum.confidence, found.spectrum.share) == (0.95, 0.95)


def test_a_database_is_added_without_redoing_the_others(found):
    more = found.add(np.append(np.full(5, 0.1), 1.5))
    assert more.audited[0] is found.audited[0]
    assert more.worst == "database 2: row 5 removed"
    assert more.epsilon_lower() > found.epsilon_lower()
    assert more.spectrum.share == pytest.approx(0.05 * 6 / np.pi**2)
    assert more.samples > found.samples
    assert len(found.audited) == 1


@pytest.mark.parametrize("expected", [1, 3])
def test_shares_of_failure_add_up_to_it_for_ever(expected):
    shares = [share_of_failure(number, expected) for number in range(1, 10_000)]
    assert 0.9999 < sum(shares) < 1
    assert len(set(shares[:expected])) == 1


def test_the_top_pairs_share_the_failure_and_the_samples():
    found = audit_relative(total, [DATA], samples=60_000, top=3, vectorized=True, seed=2)
    (audit,) = found.audited
    assert len(audit.spectra) == 3
    assert {spectrum.share for spectrum in audit.spectra} == {0.95 / 3}
    assert found.samples <= 60_000 + 6
    assert found.worst == "database 1: row 15 removed"


@pytest.mark.parametrize("beyond", [False, True])
def test_bounds_rest_on_runs_that_the_search_never_saw(beyond):
    """Doubles of 53 bits repeat among 20,000 with a chance below 1e-7, so a repeat is a run used twice."""
    drawn = []

    def noting(data, count, generator):
        drawn.append(generator.random(count))
        return np.sum(data) + drawn[-1]

    found = audit_relative(noting, DATA, beyond=beyond, samples=20_000, top=2, vectorized=True, seed=5)
    everything = np.concatenate(drawn)
    assert len(np.unique(everything)) == len(everything) >= found.samples
    assert found.samples == sum(
        [audit.found.samples + sum(s.samples for s in audit.spectra) for audit in found.audited]
    )
    assert min(spectrum.samples for spectrum in found.audited[0].spectra) > 4_000


@pytest.mark.parametrize("seed", [3, None])
def test_samples_are_kept_by_the_name_of_the_pair(tmp_path, seed):
    data, folder = np.array([0.1, 0.2, 2.0]), tmp_path / "kept"
    options = {"samples": 6_000, "keep": folder, "vectorized": True}
    first = audit_relative(total, data, seed=seed, **options)
    again = audit_relative(total, data, **options)
    about, search, kept_seed = sorted(path.name for path in folder.iterdir())
    assert (about, kept_seed) == ("README.txt", "seed.txt")
    assert (folder / search / "row-2-removed" / "manifest.json").exists()
    assert first.epsilon_lower() == again.epsilon_lower() > 0
    assert folder.stat().st_mode & 0o077 == 0
    with pytest.raises(BadMechanism, match=r"different: seed"):
        audit_relative(total, data, seed=4, **options)


RUNS, MOST = [0], [10**9]


def counting(data, count, generator):
    """Counts its runs, and fails when there are too many."""
    if RUNS[0] + count > MOST[0]:
        raise RuntimeError
    RUNS[0] += count
    return data.sum() + generator.laplace(size=count)


def runs_of(data, mechanism=counting, most=10**9, **options):
    """How many runs an audit takes, and its result."""
    RUNS[0], MOST[0] = 0, most
    asked = {"samples": 40_000, "vectorized": True, "seed": 3, "jobs": 1, **options}
    try:
        return audit_relative(mechanism, data, **asked), RUNS[0]
    except BadMechanism:
        return None, RUNS[0]


DOZENS = np.arange(40.0) / 20


def test_the_same_question_again_costs_no_run(tmp_path):
    found, first = runs_of(DOZENS, keep=tmp_path / "kept")
    again, second = runs_of(DOZENS, keep=tmp_path / "kept")
    assert first >= 39_000
    assert second <= 10  # to see whether the mechanism carries a state
    assert (found.worst, found.epsilon_lower()) == (again.worst, again.epsilon_lower())
    assert [each.statistic for each in found.screened] == [each.statistic for each in again.screened]


def test_a_search_goes_on_after_a_failure(tmp_path):
    failed, before = runs_of(DOZENS, keep=tmp_path / "kept", most=9_000)
    assert failed is None
    assert keeps_runs(tmp_path / "kept")
    _, later = runs_of(DOZENS, keep=tmp_path / "kept")
    _, whole = runs_of(DOZENS)
    assert 8_000 < whole - later <= before


def test_another_database_is_searched_anew(tmp_path):
    runs_of(DOZENS[:3], keep=tmp_path / "kept", samples=6_000)
    assert runs_of(DOZENS[:4], keep=tmp_path / "kept", samples=6_000)[1] >= 5_900


class Stateful:
    """Noise from a generator of its own."""

    def __init__(self):
        self.chance = np.random.default_rng(5)

    def __call__(self, data, count):
        RUNS[0] += count
        return data.sum() + self.chance.laplace(size=count)


def test_a_mechanism_with_a_state_of_its_own_is_searched_anew(tmp_path):
    """Its state starts anew in every process: bounds would rest on the chance that chose the pair."""

    _, first = runs_of(DOZENS, Stateful(), keep=tmp_path / "first")
    assert first >= 39_000
    assert not list((tmp_path / "first").glob("search-*/*.parquet"))


def test_it_is_known_whether_runs_were_kept(tmp_path):
    folder, data = tmp_path / "kept", np.array([0.1, 0.2, 2.0])

    def interrupted(at):
        def progress(done, wanted):
            if done >= at:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            audit_relative(
                total, data, samples=6_000, keep=folder, vectorized=True, seed=1, progress=progress
            )
        return keeps_runs(folder)

    assert not keeps_runs(folder)
    assert interrupted(at=1_000)  # still searching
    assert interrupted(at=4_000)


def test_a_folder_that_is_open_to_others_or_holds_other_files_is_refused(tmp_path):
    tmp_path.chmod(0o755)
    with pytest.raises(BadMechanism, match="chmod 700"):
        audit_relative(total, DATA, keep=tmp_path, vectorized=True)
    tmp_path.chmod(0o700)
    (tmp_path / "diary.txt").write_text("dear")
    with pytest.raises(BadMechanism, match="holds other files"):
        audit_relative(total, DATA, keep=tmp_path, vectorized=True)


def test_a_damaged_seed_and_a_folder_that_cannot_be_made_are_refused(tmp_path):
    (tmp_path / "seed.txt").write_text("3 or 4")
    with pytest.raises(BadMechanism, match="damaged"):
        audit_relative(total, DATA, keep=tmp_path, vectorized=True)
    with pytest.raises(InvalidParameter, match="cannot be kept"):
        audit_relative(total, DATA, keep=tmp_path / "seed.txt", vectorized=True)


def clipped(data, count, generator):
    return np.clip(data, 0, 1).sum() + generator.laplace(scale=0.5, size=count)


@pytest.fixture(scope="module")
def outside():
    """Nobody in the database has more than 0.05; a person may have 1, which is worth ε = 2."""
    data = np.full(12, 0.05)
    return audit_database(clipped, data, claim=1, bounds=(0, 1), samples=40_000, vectorized=True, seed=1)


def test_a_worst_pair_outside_the_database_is_found_and_bounded(outside):
    assert outside.verdict == "false"
    assert 1 < outside.epsilon_lower() <= 2
    assert outside.made_up
    assert "the largest values" in outside.worst
    assert outside.samples <= 40_000


def test_the_words_say_that_it_lies_outside(outside):
    words = outside.explain()
    assert "made it up" in words
    assert "relative" not in words
    assert outside.spectrum.left.startswith("a database made up from database 1 (")
    assert outside.spectrum.right.startswith("the made-up database with a row of the largest values ")


def test_who_asks_for_the_database_itself_gets_no_other():
    found = audit_database(clipped, DATA, beyond=False, samples=20_000, vectorized=True, seed=1)
    assert not found.made_up
    assert found.worst == "database 1: row 15 removed"
    assert all(seen.name.startswith("database 1: row ") for seen in found.screened)
    assert "outside" not in found.explain()


def test_vectors_of_answers():
    def first_leaks(answers, count, generator):
        return answers[0] + generator.laplace(size=count)

    found = audit_database(
        first_leaks, np.zeros(3), relation="queries", sensitivity=3.0, samples=60_000, vectorized=True, seed=1
    )
    assert 2 < found.epsilon_lower() <= 3
    assert "answers moved (" in found.worst


def test_nothing_is_spent_on_an_upper_bound():
    def coin(data, count, generator):
        return generator.random(count) < 0.5 + 0.3 * (data.max() == 1)

    found = audit_relative(coin, DATA, samples=20_000, epsilons=[0.0, 0.5], vectorized=True, seed=3)
    assert found.spectrum.upper is None
    assert found.spectrum.epsilons.tolist() == [0.0, 0.5]


def never(data, count):
    raise AssertionError("run")


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("assume", "monotony"),
        ("score", "magic"),
        ("score", 3),
        ("aim", "fame"),
        ("epsilons", [-1.0]),
        ("epsilons", "all"),
        ("epsilons", []),
        ("confidence", 0.2),
        ("confidence", "high"),
        ("relation", "swap"),
        ("bounds", (1, 0)),
        ("most", 0),
        ("times", -1),
        ("top", 0),
    ],
)
def test_options_without_meaning_are_refused_before_anything_is_run(tmp_path, option, value):
    for call in (audit_relative, audit_database):
        with pytest.raises(InvalidParameter, match=option):
            call(never, DATA, vectorized=True, beyond=True, keep=tmp_path / "kept", **{option: value})


def test_a_misspelt_option_is_refused_before_anything_is_run():
    for call in (audit_relative, audit_database):
        with pytest.raises(TypeError, match="epsilon"):
            call(never, DATA, epsilon=[0.5], vectorized=True)


def needed(refusal):
    return int(str(refusal.value).split("at least ")[1].split(",")[0])


@pytest.mark.parametrize("beyond", [False, True])
@pytest.mark.parametrize("top", [1, 12])
def test_the_number_that_a_refusal_names_is_the_one_to_give(beyond, top):
    options = {"beyond": beyond, "top": top, "vectorized": True, "seed": 1}
    with pytest.raises(InvalidParameter, match=r"100 samples are too few.*give the search at least") as few:
        audit_relative(never, DATA, samples=100, **options)
    with pytest.raises(InvalidParameter, match="too few"):
        audit_relative(never, DATA, samples=needed(few) - 1, **options)
    found = audit_relative(total, DATA, samples=needed(few), **options)
    assert len(found.audited[0].spectra) == top
    assert found.samples <= needed(few)


def test_the_number_is_for_every_database():
    with pytest.raises(InvalidParameter, match="give every database at least") as few:
        audit_relative(never, [DATA, DATA], samples=100, vectorized=True)
    found = audit_relative(total, [DATA, DATA], samples=needed(few), vectorized=True, seed=1)
    assert [audit.samples <= needed(few) for audit in found.audited] == [True, True]


def test_progress_has_one_total_for_searching_and_bounding():
    told = []
    audit_relative(
        total, [DATA, DATA], samples=20_000, top=2, vectorized=True, seed=1,
        progress=lambda *at: told.append(at),
    )  # fmt: skip
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert {wanted for _, wanted in told} == {40_000}
    assert 39_990 < told[-1][0] <= 40_000


def test_tables_and_plain_functions():
    def release(table, generator):
        return sum(table.column("pay").to_pylist()) + generator.laplace(scale=0.2)

    table = pa.table({"pay": [0.1, 0.2, 2.0], "city": ["A", "B", "C"]})
    found = audit_relative(release, table, samples=3_000, jobs=1, seed=4)
    assert found.worst == "database 1: row 2 removed"
    assert found.epsilon_lower() > 1


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"confidence": 1.0}, "confidence"),
        ({"top": 0}, "top"),
        ({"samples": 0}, "samples"),
        ({"seed": -1}, "seed"),
    ],
)
def test_parameters_without_meaning_are_refused(changes, word):
    with pytest.raises(InvalidParameter, match=word):
        audit_relative(total, DATA, vectorized=True, **changes)


@pytest.mark.parametrize("databases", [[], [1.0, 2.0], "patients.csv", [{"age": 3}, 7]])
def test_what_might_be_one_database_or_several_is_not_guessed_at(databases):
    with pytest.raises(InvalidParameter, match="databases"):
        audit_relative(total, databases)


def test_fewer_rows_to_look_at_need_fewer_runs():
    def needed(**options):
        with pytest.raises(InvalidParameter, match="at least") as refusal:
            audit_database(clipped, DATA, beyond=False, samples=200, vectorized=True, seed=1, **options)
        return int(str(refusal.value).split("at least ")[1].split(",")[0])

    assert needed(most=2) < needed()
