"""The replay's models beside the time line: clocks, marks, addresses of moments, alignment, heat."""

from collections.abc import Callable
from typing import Any

import pytest

type Ask = Callable[..., Any]


def entry(seq: int, time: float, **more: Any) -> dict[str, Any]:
    level = more.get("level", 1)
    done = more.get("level_completed", False)
    return {
        "seq": seq,
        "action": 1,
        "x": None,
        "y": None,
        "level": level,
        "level_completed": done,
        "levels_completed": level if done else level - 1,
        "state": "NOT_FINISHED",
        "changed": True,
        "time": time,
        "frame_count": 1,
    } | more


@pytest.fixture
def ask(ask_models: Ask) -> Ask:
    return ask_models


LONG = [entry(0, 0), entry(1, 1000, frame_count=3), entry(2, 21_200), entry(3, 22_000)]


def test_by_the_other_clock_every_action_takes_a_beat_or_its_animation(ask: Ask) -> None:
    entries = [entry(0, 0), entry(1, 90_000, frame_count=7), entry(2, 90_100)]
    assert ask("new PerAction(timeline).times", entries) == [0, 500, 600, 700, 800, 900, 1000, 1100, 1200]
    assert ask("new PerAction(timeline).of(90050)", entries) == 1200 - 700
    assert ask("new PerAction(timeline).idle(1)", entries) == []


def test_marks_show_levels_resets_no_ops_and_losses(ask: Ask) -> None:
    entries = [
        entry(0, 0, action=0, changed=False),
        entry(1, 1000, changed=False),
        entry(2, 2000, state="GAME_OVER"),
        entry(3, 3000, action=0),
        entry(4, 4000, level_completed=True),
    ]
    found = ask("marksOf(timeline, []).map(({ kind, position }) => [kind, position])", entries)
    assert found == [["unchanged", 1], ["lost", 2], ["reset", 3], ["level", 0], ["level", 4]]


@pytest.mark.parametrize(
    ("event", "kind"),
    [
        ("prompt_shown", "prompt"),
        ("prompt_answered", "prompt"),
        ("disconnected", "connection"),
        ("connected", "connection"),
        ("page_hidden", "page"),
        ("patterns_on", "page"),
        ("environment_fault", "fault"),
    ],
)
def test_marks_show_events_that_are_not_actions(ask: Ask, event: str, kind: str) -> None:
    events = [{"kind": event, "time": 700, "details": {}, "staff": None}]
    (found,) = ask("marksOf(timeline, given).filter(({ kind }) => kind !== 'level')", LONG, events)
    assert (found["kind"], found["time"]) == (kind, 700)


def test_whatever_staff_did_is_marked_as_theirs(ask: Ask) -> None:
    events = [{"kind": "session_ended", "time": 700, "details": {}, "staff": "ada"}]
    found = ask("marksOf(timeline, given).at(-1)", LONG, events)
    assert (found["kind"], found["label"]) == ("staff", "session ended · by ada")


LEVELS = [
    entry(0, 0),
    entry(1, 1000, level_completed=True, frame_count=2),
    entry(2, 2000, level=2),
    entry(3, 3000, level=2, level_completed=True),
    entry(4, 4000, level=3),
]


@pytest.mark.parametrize(
    ("address", "moment"),
    [
        ("", {"position": 0}),
        ("?a=2", {"position": 3}),
        ("?t=2.5", {"time": 2500}),
        ("?t=0:02.5", {"time": 2500}),
        ("?t=0:00:03", {"time": 3000}),
        ("?t=2:00", {"position": 5, "notice": "There is no moment 2:00: this is the end."}),
        ("?t=99", {"position": 5, "notice": "There is no moment 99: this is the end."}),
        ("?t=-1", {"position": 0, "notice": "There is no moment -1: this is the beginning."}),
        ("?a=99999", {"position": 5, "notice": "There is no action 99999: this is the end."}),
        ("?a=x&t=x", {"position": 0, "notice": "There is no action x: this is the beginning."}),
        ("#level=9", {"position": 5, "notice": "The replay does not reach level 9: this is the end."}),
        ("?a=1&t=3", {"position": 2}),
        ("#action=2", {"position": 3}),
        ("?a=1#level=3", {"position": 4}),
        ("#end=2", {"time": 1100, "notice": "From the last seconds on level 2 on."}),
        ("#end=9", {"position": 5, "notice": "The replay does not reach level 9: this is the end."}),
    ],
)
def test_an_address_names_a_moment(ask: Ask, address: str, moment: dict[str, Any]) -> None:
    assert ask("momentOf(new URL('http://playtest/' + given), timeline)", LEVELS, address) == moment


def test_the_end_of_a_level_is_20_seconds_before_its_last_action(ask: Ask) -> None:
    entries = [entry(0, 0), *(entry(number, 3000 * number) for number in range(1, 11))]
    found = ask("momentOf(new URL('http://playtest/#end=1'), timeline)", entries)
    assert found["time"] == 10_000


@pytest.mark.parametrize(
    ("position", "time", "query"), [(3, 2000, "?a=2"), (3, 2500.2, "?t=2.501"), (1, 1000, "?t=1.000")]
)
def test_the_address_of_a_moment_leads_back_to_it(ask: Ask, position: int, time: float, query: str) -> None:
    given = {"position": position, "time": time}
    link = "addressOf(new URL('http://playtest/?a=9&t=8#level=3'), timeline, given)"
    assert ask(f"{link}.href", LEVELS, given) == f"http://playtest/{query}"
    back = f"momentOf({link}, timeline)"
    assert ask(f"'time' in {back} ? timeline.at({back}.time) : {back}.position", LEVELS, given) == position


SLOWER = [
    entry(0, 0),
    entry(1, 500),
    entry(2, 5000, level_completed=True),
    entry(3, 5500, level=2),
    entry(4, 9000, level=2),
]


@pytest.mark.parametrize(
    ("alignment", "position", "time", "expected"),
    [
        ("time", 3, 2000, 1),
        ("time", 4, 3000, 1),
        ("action", 3, 2000, 2),
        ("action", 5, 9000, 4),
        ("level", 0, 600, 1),
        ("level", 2, 1100, 2),
        ("level", 3, 1900, 3),
        ("level", 3, 99_000, 4),
        ("level", 4, 3000, 4),
    ],
)
def test_two_attempts_are_aligned(ask: Ask, alignment: str, position: int, time: int, expected: int) -> None:
    given = {"entries": SLOWER, "alignment": alignment, "moment": {"position": position, "time": time}}
    other = "aligned(given.alignment, timeline, given.moment, new Timeline(given.entries, 10))"
    assert ask(other, LEVELS, given) == expected


def test_aligned_by_level_the_other_waits_at_its_end_of_the_level(ask: Ask) -> None:
    given = {"entries": LEVELS, "moment": {"position": 1, "time": 4000}}
    assert (
        ask("aligned('level', timeline, given.moment, new Timeline(given.entries, 10))", SLOWER, given) == 1
    )


CLICKS = [
    entry(0, 0),
    entry(1, 1000, action=6, x=2, y=1),
    entry(2, 3000, action=6, x=2, y=1),
    entry(3, 63_000, action=1),
    entry(4, 64_000, action=6, x=5, y=0, level_completed=True),
    entry(5, 65_000, action=6, x=2, y=1, level=2),
]


def test_heat_counts_clicks_of_one_level(ask: Ask) -> None:
    assert cells(ask, "clicks") == {"66": 2, "5": 1}


def test_dwell_is_the_time_until_the_next_action_up_to_ten_seconds(ask: Ask) -> None:
    assert cells(ask, "dwell") == {"66": 12, "5": 1}


MOVES = [
    entry(0, 0),
    entry(1, 1000),
    entry(2, 3000),
    entry(3, 4000, action=0),
    entry(4, 60_000),
    entry(5, 61_000, level_completed=True),
]


def test_without_clicks_people_dwell_on_what_their_actions_changed(ask: Ask) -> None:
    """Each frame changes the cell of its entry's number; a reset puts the board back, which nobody chose."""
    assert cells(ask, "dwell", MOVES) == {"1": 2, "2": 1, "4": 1}
    assert "on the cells it changed" in ask("heatLabel('dwell', timeline, 1)", MOVES)
    assert (
        ask("heatLabel('dwell', timeline, 1)", CLICKS)
        == "seconds before the next action, on the cell clicked"
    )
    assert ask("heatLabel('clicks', timeline, 1)", MOVES) == "nothing was clicked on this level"


def test_a_heat_has_a_scale_to_its_most(ask: Ask) -> None:
    assert ask("heatScale(Float64Array.from([0, 2.5, 1164]))", MOVES) == "1,164"
    assert ask("heatScale(new Float64Array(3))", MOVES) == ""


STEPS = [*LEVELS[:4], entry(4, 4000, level=3), entry(5, 5000, level=3)]


@pytest.mark.parametrize(
    ("fewest", "best", "summary"),
    [
        (
            [1, 2, 4], [[0, 0], [1, 1], [3, 2], [7, 3]],
            "2 levels completed in 5 actions; the first 2 took 3, the fewest known for them is 3.",
        ),
        (
            [1, None, 4], [[0, 0], [1, 1]],
            "2 levels completed in 5 actions; level 1 took 1, the fewest known is 1.",
        ),
        ([None, 2, 4], [[0, 0]], "2 levels completed in 5 actions; the fewest actions are not known."),
        ([], [[0, 0]], "2 levels completed in 5 actions; the fewest actions are not known."),
    ],
)  # fmt: skip
def test_progress_is_shown_beside_the_fewest_actions_known(
    ask: Ask, fewest: list[int | None], best: list[list[int]], summary: str
) -> None:
    pairs = "map(({ actions, levels }) => [actions, levels])"
    assert ask(f"stepsOf(timeline.entries).{pairs}", STEPS) == [[0, 0], [1, 1], [3, 2], [5, 2]]
    assert ask(f"fewestSteps(given).{pairs}", STEPS, fewest) == best
    assert ask("progressSummary(stepsOf(timeline.entries), fewestSteps(given))", STEPS, fewest) == summary


def test_what_begins_on_a_later_level_is_compared_from_there(ask: Ask) -> None:
    later = [entry(0, 0, level=3), entry(1, 1000, level=3), entry(2, 2000, level=4)]
    asked = "progressSummary(stepsOf(timeline.entries), fewestSteps(given, 2))"
    found = ask(asked, later, [10, 20, 1, 7])
    assert found == "1 level completed in 2 actions; level 3 took 2, the fewest known is 1."
    nothing = ask(asked, later[:2], [10, 20, 1, 7])
    assert nothing == "0 levels completed in 1 action; the fewest known for level 3 is 1."


def test_changed_cells_are_counted_but_not_those_of_a_new_level(ask: Ask) -> None:
    assert cells(ask, "changes") == {"1": 1, "2": 1, "3": 1}


def cells(ask: Ask, kind: str, entries: list[dict[str, Any]] | None = None) -> dict[str, float]:
    """The heat of level 1 where there is any; each frame changes the cell of its entry's number."""
    frames = "{ at: ({ entry }) => Uint8Array.from({ length: 4096 }, (_, cell) => (cell <= entry ? 1 : 0)) }"
    heat = f"heatOf(given, timeline, {frames}, 1)"
    found: dict[str, float] = ask(
        f"Object.fromEntries([...{heat}].map((value, cell) => [cell, value]).filter(([, value]) => value))",
        entries or CLICKS,
        kind,
    )
    return found
