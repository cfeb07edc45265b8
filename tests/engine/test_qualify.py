"""Qualification finds the fault of each faulty environment and repeats by its seed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import EnvironmentFault
from engine.play.actions import Action
from engine.play.frames import CELLS
from engine.play.game import Game
from engine.prove.player import Player
from engine.prove.qualification.differences import compare_traces
from engine.prove.qualification.episodes import Episode
from engine.prove.qualification.findings import (
    FEWEST_FRAMES,
    Finding,
    SlowAction,
    Trajectory,
    is_slow,
    merged,
    slow_finding,
    slow_levels,
)
from engine.prove.qualification.fixed_checks import check_recordings
from engine.prove.qualification.flashes import flashes_a_second
from engine.prove.qualification.plan import (
    BEYOND_THE_FIRST,
    DETERMINISM,
    FROM_THE_START,
    FROM_THE_START_STEPS,
    FULL_STEPS,
    FUZZ,
    LARGEST_SEED,
    LOAD,
    PART_STEPS,
    STRUCTURE,
    plan,
    shares,
)
from engine.prove.qualification.report import remedy, report
from tests.engine.qualifying import before_the_last, found, ignore
from tests.engine.sources import WALK_PITS, WALK_WINS, environment, moves, written

ALL = (STRUCTURE, DETERMINISM, FROM_THE_START, BEYOND_THE_FIRST, FUZZ)


def test_an_environment_without_faults_has_no_findings() -> None:
    findings = found(environment("qt01"), 400, ALL)
    result = report(1, 400, findings)
    assert result["passed"]
    assert [entry["code"] for entry in result["checks"]] == [
        *("load", "metadata", "levels", "determinism", "recordings"),
        *("from_the_start", "beyond_the_first", "fuzz", "speed", "animations"),
    ]


@pytest.mark.parametrize(
    ("code", "regime", "steps", "expected"),
    [
        ("ez01", BEYOND_THE_FIRST, 200, ("level_won_by_chance", 2)),
        ("tm01", DETERMINISM, 100, ("nondeterministic", 1)),
        ("dp01", BEYOND_THE_FIRST, 300, ("environment_raised", 3)),
        ("dp01", FUZZ, 300, ("environment_raised", 3)),
        ("bf01", FROM_THE_START, 50, ("bad_frame", 1)),
        ("st01", FUZZ, 3_000, ("inconsistent_state", 1)),
        ("fv01", STRUCTURE, 1, ("too_few_levels", None)),
        ("wd01", STRUCTURE, 1, ("bad_frame", None)),
        ("im01", STRUCTURE, 1, ("import_failed", None)),
        ("nc01", STRUCTURE, 1, ("no_game_class", None)),
    ],
)
def test_each_fault_is_found_by_its_regime(
    code: str, regime: str, steps: int, expected: tuple[str, int | None]
) -> None:
    findings = [finding for finding in found(environment(code), steps, [regime]) if not finding.note]
    assert (findings[0].code, findings[0].level) == expected
    assert not report(1, steps, findings)["passed"]
    assert remedy(findings[0].code) != remedy("something else")


def test_a_late_inconsistency_passes_the_check_of_determinism() -> None:
    assert found(environment("st01"), 400, [DETERMINISM]) == []


def test_exceeding_time_or_memory_is_not_a_finding_of_determinism() -> None:
    short, long = ({"level": 1, "actions": [[1, None, None]] * n, "state_hashes": ["0"] * n} for n in (2, 3))
    other = long | {"state_hashes": ["0", "1", "1"]}
    for code in ("deadline_exceeded", "memory_exceeded"):
        assert compare_traces([[short, code]], [[long, ""], [long, ""]], "nondeterministic") == []
        assert compare_traces([[short, code]], [[other, ""]], "nondeterministic")
    assert compare_traces([[short, "bad_frame"]], [[long, ""]], "nondeterministic")


def test_a_hidden_difference_behind_equal_frames_is_found() -> None:
    hidden = written(step="self.hidden = time.perf_counter_ns()")
    findings = found(hidden, 60, [DETERMINISM, FUZZ])
    assert {(finding.check, finding.code) for finding in findings} == {(FUZZ, "inconsistent_state")}


def test_a_reset_that_leaves_traces_is_noted() -> None:
    findings = found(environment("rs01"), 1_500, [FUZZ])
    assert {(finding.code, finding.note) for finding in findings} == {("reset_leaves_traces", True)}


def test_a_first_level_won_by_luck_is_a_note() -> None:
    lucky = written(step="if self.level_index == 0: self.next_level()")
    findings = found(lucky, 300, [FROM_THE_START])
    assert [(finding.code, finding.note) for finding in findings] == [("first_level_won_by_chance", True)]
    result = report(1, 300, findings)
    assert result["passed"]
    assert [entry["note"] for entry in result["checks"] if entry["check"] == FROM_THE_START] == [False, True]


def test_the_recording_of_a_win_is_short_and_wins_with_its_last_action() -> None:
    source = environment("ez01")
    (finding,) = found(source, 600, [BEYOND_THE_FIRST])
    episode, last = before_the_last(source, finding)
    assert episode.game.turn.level == 2
    assert episode.act(last).level_completed
    assert len(episode.actions) == 4


def test_the_recording_of_a_crash_crashes_with_its_last_action() -> None:
    source = environment("dp01")
    (finding,) = found(source, 600, [FUZZ])
    episode, last = before_the_last(source, finding)
    with pytest.raises(EnvironmentFault, match="deep inside"):
        episode.act(last)


def test_a_level_without_available_actions_is_found() -> None:
    stuck = written(step="self._available_actions = []")
    assert "no_actions" in {finding.code for finding in found(stuck, 200, [FUZZ])}


def test_the_seed_determines_the_run() -> None:
    source = environment("wk01")
    regimes = [FROM_THE_START, BEYOND_THE_FIRST, FUZZ]
    first = found(source, 200, regimes, seed=7)
    assert found(source, 200, regimes, seed=7) == first
    assert found(source, 200, regimes, seed=8) != first


@given(st.integers(0, LARGEST_SEED), st.integers(1, FULL_STEPS))
def test_parts_add_up_to_the_regimes_and_have_separate_seeds(seed: int, steps: int) -> None:
    parts = plan(seed, steps)
    assert plan(seed, steps) == parts
    assert len({part.seed for part in parts}) == len(parts)
    assert all(0 <= part.seed <= LARGEST_SEED and part.steps <= PART_STEPS for part in parts)
    played = {regime: sum(part.steps for part in parts if part.regime == regime) for regime in ALL}
    assert played[BEYOND_THE_FIRST] == played[FUZZ] == steps
    assert played[FROM_THE_START] == min(steps, FROM_THE_START_STEPS)


@pytest.mark.parametrize(("seed", "steps"), [(0, 0), (0, FULL_STEPS + 1), (-1, 1), (LARGEST_SEED + 1, 1)])
def test_an_invalid_plan_is_refused(seed: int, steps: int) -> None:
    with pytest.raises(ValueError, match=r"seed|steps"):
        plan(seed, steps)


@given(st.integers(0, 10_000), st.integers(1, 12))
def test_every_level_gets_its_share_of_the_steps(steps: int, levels: int) -> None:
    divided = shares(steps, range(1, levels + 1))
    assert sum(share for _, share in divided) == steps
    assert max(share for _, share in divided) - min(share for _, share in divided) <= 1


findings = st.builds(
    Finding,
    st.sampled_from([LOAD, DETERMINISM, FUZZ]),
    st.sampled_from(["bad_frame", "environment_raised"]),
    st.just("It went wrong."),
    st.sampled_from([None, 1, 2]),
    st.booleans(),
    st.integers(1, 5),
)


@given(st.lists(findings), st.integers(0, 20))
def test_the_report_does_not_depend_on_how_parts_divide_the_findings(some: list[Finding], at: int) -> None:
    whole = merged(some)
    assert merged([*merged(some[:at]), *merged(some[at:])]) == whole
    assert sum(one.count for one in whole) == sum(one.count for one in some)
    assert len({(one.check, one.code, one.level) for one in whole}) == len(whole)


@given(st.lists(findings), st.sets(st.sampled_from(ALL)))
def test_a_qualification_passes_only_when_finished_and_without_faults(
    some: list[Finding], open_: set[str]
) -> None:
    result = report(1, 100, some, open_)
    wrong = [entry for entry in result["checks"] if not entry["passed"]]
    assert result["passed"] == (not wrong and not result["unfinished"])
    assert all(not entry["note"] and entry["mend"] for entry in wrong)


def test_only_a_whole_qualification_is_full() -> None:
    assert report(1, FULL_STEPS, [])["full"]
    assert not report(1, FULL_STEPS - 1, [])["full"]


def test_a_source_that_does_not_load_passes_no_check() -> None:
    result = report(1, 100, [Finding(LOAD, "import_failed", "It cannot be imported.")])
    assert [(entry["code"], entry["passed"]) for entry in result["checks"]] == [("import_failed", False)]


def test_frames_a_second_are_measured_by_each_actions_shortest_time() -> None:
    quick, hindered = [(1, 0.0009)] * 30, [(1, 0.0009)] * 15 + [(1, 0.5)] * 15
    assert slow_levels([{1: quick}, {1: hindered}]) == slow_levels([{1: hindered}, {1: hindered[::-1]}]) == []
    (found_slow,) = slow_levels([{1: quick, 2: [(2, 0.0025)] * 30}, {1: hindered, 2: [(2, 0.004)] * 30}])
    assert (found_slow.level, found_slow.code) == (2, "too_few_frames_a_second")
    assert "draws 800 frames a second" in found_slow.message
    assert slow_levels([{1: [(1, 1.0)] * (FEWEST_FRAMES - 1)}]) == []
    assert not report(1, FULL_STEPS, [found_slow])["passed"]
    assert remedy(found_slow.code) != remedy("something else")


def test_only_a_full_qualification_reports_on_drawing_speed() -> None:
    full, quick = (report(1, steps, [])["checks"][-2]["message"] for steps in (FULL_STEPS, 1_000))
    assert "at least 1,000 frames a second" in full
    assert "frames" not in quick


@pytest.mark.parametrize(("seconds", "note"), [(0.3, True), (0.99, True), (1.0, False), (4.0, False)])
def test_a_slow_action_fails_only_where_live_play_would_not_wait(seconds: float, note: bool) -> None:
    slow = SlowAction(3, seconds, Trajectory(1, 3, (Action(4),)), 0, count=17)
    (entry,) = [
        one for one in report(1, 9, [slow_finding(slow, slow.trajectory, 1.0)])["checks"] if one["mend"]
    ]
    assert (entry["check"], entry["level"], entry["count"], entry["passed"]) == ("speed", 3, 17, note)
    assert "It happened 17 times." in entry["message"]
    assert not is_slow(0.13)


def test_an_unfinished_regime_has_not_passed() -> None:
    result = report(1, 100, [Finding(FUZZ, "bad_frame", "It drew no frame.")], unfinished={FUZZ})
    assert not result["passed"]
    assert result["unfinished"] == ["fuzz", "speed", "animations"]
    assert [entry["code"] for entry in result["checks"] if entry["check"] in result["unfinished"]] == [
        "bad_frame"
    ]
    assert report(1, 100, [], unfinished={STRUCTURE, FUZZ})["checks"] == []


def _recording(kind: str, text: str, **changes: Any) -> dict[str, Any]:
    game, turn = Game.start(environment("wk01"), 0)
    hashes = [turn.state_hash.hex(), *(game.act(action).state_hash.hex() for action in moves(text))]
    actions = [[action.id, None, None] for action in moves(text)]
    made = {"name": kind, "kind": kind, "seed": 0, "level": 1, "actions": actions, "state_hashes": hashes}
    return made | changes


WIN, LOSS = _recording("win", "".join(WALK_WINS)), _recording("loss", WALK_PITS[:1])


@pytest.mark.parametrize(
    ("recordings", "codes"),
    [
        ([WIN, LOSS], []),
        ([WIN | {"state_hashes": []}, LOSS], []),
        ([WIN], ["no_recordings"]),
        ([WIN, LOSS | {"kind": "unfinished"}], []),
        ([WIN, LOSS | {"state_hashes": ["00" * 8, *LOSS["state_hashes"][1:]]}], ["recording_diverges"]),
        ([WIN, LOSS | {"actions": [*LOSS["actions"], [1, None, None]]}], ["recording_diverges"]),
        ([_recording("win", WALK_WINS[0]), LOSS], ["recording_does_not_win"]),
        ([WIN, WIN | {"kind": "loss", "name": "no loss"}], ["recording_does_not_lose"]),
    ],
)
def test_recordings_must_replay_exactly_and_end_as_they_say(
    recordings: list[dict[str, Any]], codes: list[str]
) -> None:
    findings = check_recordings(Player(environment("wk01")), recordings, ignore)
    assert [finding.code for finding in findings] == codes


def test_traits_of_official_environments_load_and_play() -> None:
    for code in ("lm01", "ck01", "rn01"):
        assert found(environment(code), 30, [STRUCTURE, DETERMINISM, FUZZ]) == [], code
    assert found(environment("an01"), 12, [DETERMINISM, FUZZ]) == []
    animated, _ = Game.start(environment("an01"), 0)
    assert len(animated.act(Action(4)).frames) == 404
    slow, _ = Game.start(environment("sl01"), 0)
    assert slow.act(Action(4)).changed


def test_a_source_of_41_000_lines_loads_and_plays() -> None:
    long = written(construct="numbers = [\n" + "".join(f"    {number},\n" for number in range(41_000)) + "]")
    assert long.text.count("\n") > 41_000
    assert found(long, 30, [STRUCTURE, FUZZ]) == []


@pytest.mark.parametrize(
    ("colours", "cells", "frames_a_second", "flashes"),
    [
        ([0, 5] * 10, CELLS, 20, 9.5),
        ([0, 5] * 10, CELLS // 4, 20, 0),
        ([5, 4, 3, 2, 1, 0] * 4, CELLS, 24, 3.5),
        ([0, 5] * 10, CELLS, 3, 1.5),
        ([0, 5] * 3, CELLS, 20, 0),
    ],
)
def test_flashes_are_opposite_changes_of_most_of_the_screen(
    colours: list[int], cells: int, frames_a_second: int, flashes: float
) -> None:
    frames = [np.zeros((64, 64), np.uint8) for _ in colours]
    for frame, colour in zip(frames, colours, strict=True):
        frame.reshape(CELLS)[:cells] = colour
    assert flashes_a_second(frames, frames_a_second) == flashes


def test_an_animation_that_flashes_or_lasts_is_a_note() -> None:
    player = Player(replace(environment("qt01"), default_fps=2))
    episode = Episode(player, 1, 1)
    blinking = [np.full((64, 64), colour, np.uint8) for colour in (0, 5) * 6]
    turn = replace(episode.open(), frames=tuple(blinking))
    player.act = lambda game, action: turn  # type: ignore[method-assign]
    episode.act(Action(1))
    assert [(code, seen.note) for (code, _), seen in player.seen.items()] == [("long_turn", True)]
    player.source = replace(player.source, default_fps=20)
    episode.act(Action(1))
    checks = report(1, 9, player.seen.values())["checks"]
    noted = [(one["code"], one["level"]) for one in checks if one["check"] == "animations" and one["note"]]
    assert noted == [("long_turn", 1), ("flashes", 1)]
    assert all(one["passed"] for one in checks)
