"""Runs are told apart by what their actions did, and each failure has its evidence."""

from playtest.rules.run_analysis import Failure, Move, Named, Part, RunAnalysis, analyse, drawn
from tests.rules.levels import journal

CLICK = 6


def run(written: str, baseline: tuple[int, ...] = (), *, faulted: bool = False) -> RunAnalysis:
    """A run as `journal` reads it; each state's name is what is pressed to reach it, `.` is ACTION1."""
    kinds = ["", *written.replace(" ", "")]
    moves = [
        Move(entry, (ord(kind), None) if kind else (0, None))
        for kind, entry in zip(kinds, journal(written), strict=True)
    ]
    return analyse(moves, baseline, faulted=faulted)


def clicks(written: str) -> RunAnalysis:
    """The same of clicks; those without effect are on the background."""
    opening, *moves = journal(written)
    clicked = (entry._replace(action=CLICK) for entry in moves)
    return analyse([Move(opening, (0, None)), *(Move(one, (CLICK, 3), not one.changed) for one in clicked)])


def named(found: RunAnalysis) -> list[tuple[Failure, int, int, int]]:
    return [(one.failure, one.level, one.first, one.last) for one in found.named]


def test_actions_without_effect_are_named_with_the_longest_streak() -> None:
    found = run("b" + "." * 5 + "c" + "." * 14)
    assert named(found) == [(Failure.NO_EFFECT, 1, 8, 21)]
    assert found.named[0].sentence == "19 of 21 actions changed nothing, 14 of them in a row."
    assert named(run("." * 19)) == [], "too few to say"


def test_clicks_on_the_background_are_named_in_their_place() -> None:
    found = clicks("b" + "." * 20)
    assert named(found) == [(Failure.BLIND_CLICKS, 1, 2, 21)]
    assert found.named[0].sentence == "20 of 21 clicks were on the background and changed nothing."
    assert (found.levels[0].clicks, found.levels[0].background) == (21, 20)


def test_a_circle_is_named_with_its_states_and_a_walk_back_is_none() -> None:
    found = run("bc" + "abc" * 10)
    assert named(found) == [(Failure.CIRCLE, 1, 3, 32)]
    assert found.named[0].sentence == "It visited the same 3 states again for 30 actions."
    assert run("bcdefghijklmn" + "mlkjihgfedcba").levels[0].in_circles == 0


def test_new_states_without_end_are_change_without_progress() -> None:
    new = "bcdefghijklmnopqrstvwxyzABCDEFGHIJKLMNOPQSTUVXYZ1234567"
    assert named(run(new)) == [(Failure.WANDERING, 1, 1, len(new))]


def test_a_completed_level_fails_only_by_its_slowness_and_then_says_why() -> None:
    assert named(run("." * 30 + "+b", (16,))) == []
    slow = run("." * 30 + "+b", (10,))
    assert named(slow) == [(Failure.SLOW, 1, 1, 31), (Failure.NO_EFFECT, 1, 1, 30)]
    assert named(run("." * 30 + "+b")) == [], "without a baseline nobody knows what is slow"


def test_a_fault_of_the_environment_is_no_failure_of_the_agent() -> None:
    assert named(run("." * 30, faulted=True)) == []


def test_an_effect_is_counted_by_states_and_resets_have_none() -> None:
    (effect,) = run("b..cR.b").effects
    assert (effect.tries, effect.without, effect.states, effect.dead_states) == (6, 3, 2, 0)
    assert run("b.").effects[0].dead_share == 0.5


def test_what_worked_on_an_earlier_level_is_looked_for_at_its_first_try() -> None:
    moves = [
        Move(entry, (kind, None))
        for kind, entry in zip([0, 1, 2, 3, 3, 1, 1], journal("b.+.cb"), strict=False)
    ]
    level = analyse(moves).levels[1]
    assert (level.first_tries, level.taught) == (2, 1), "3 and 1 had worked; 3 did nothing at first"


def test_the_draw_of_parts_follows_from_its_seed() -> None:
    codes = [f"e{number:02}" for number in range(25)]
    parts = drawn(codes, "7")
    assert {part: len(found) for part, found in parts.items()} == {
        Part.DEVELOPMENT: 16,
        Part.HELD_OUT: 6,
        Part.FINAL: 3,
    }
    assert parts == drawn(codes[::-1], "7")
    assert parts != drawn(codes, "8")
    assert sorted(code for part in parts.values() for code in part) == codes
    assert all(len(found) == 1 for found in drawn(codes[:3], "7").values())


def test_evidence_is_a_value_of_its_own() -> None:
    assert run("." * 20).named == [
        Named(Failure.NO_EFFECT, 1, "20 of 20 actions changed nothing, 20 of them in a row.", 1, 20)
    ]
