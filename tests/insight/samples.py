"""Figures of every kind with invented values, the same each time."""

import random
from collections.abc import Callable
from dataclasses import replace

from playtest.insight.figures import HREF, Column, Figure, Row, Value
from playtest.insight.pages.states.figures import OUTLOOK_LABELS
from playtest.rules.state_space.locating import Outlook

COLUMNS = {
    "people": Column("people", "People"),
    "level": Column("level", "Level"),
    "outcome": Column("outcome", "Outcome"),
    "x": Column("x", "Actions"),
    "value": Column("value", "Actions"),
    "seconds": Column("x", "Time", "minutes"),
    "low": Column("low", "From", "minutes"),
    "high": Column("high", "To", "minutes"),
}


def replay(attempt: int, level: int = 1) -> str:
    return f"/staff/attempts/{attempt}/#level={level}"


def label(person: int) -> str:
    letters = "23456789BCDFGHJKMNPQRSTVWXYZ"
    return "P-" + "".join(letters[(person * step + step) % len(letters)] for step in (1, 5, 11, 17))


def figure(
    kind: str, names: str, rows: list[Row], *, name: str = "", title: str = "", **options: object
) -> Figure:
    columns = [
        HREF if found == "href" else COLUMNS.get(found, Column(found, found.capitalize()))
        for found in names.split()
    ]
    return Figure(
        name or kind,
        kind,
        title or f"A {kind} of {len(rows)} rows",
        columns,
        rows,
        "Everyone real, exclusions honoured. Each mark leads to the replays behind it.",
        "Nobody has played this environment yet. As soon as somebody does, it appears here.",
        dict(options),
    )


def funnel(levels: int = 7, people: int = 12) -> Figure:
    given = random.Random(3)
    rows: list[Row] = []
    for level in range(1, levels + 1):
        left = {
            outcome: given.randint(0, max(0, people // 4))
            for outcome in (
                "gave_up",
                "concluded",
                "timed_out",
                "session_over",
                "ended_by_staff",
                "fault",
                "open",
            )
        }
        left["completed"] = max(0, people - sum(left.values()))
        rows += [
            (level, outcome, number, f"/staff/attempts/?level={level}&outcome={outcome}")
            for outcome, number in left.items()
        ]
        people = left["completed"]
    return figure(
        "funnel", "level outcome people href", rows, title="Four of twelve people completed every level"
    )


def incidence() -> Figure:
    rows: list[Row] = []
    for curve, pace in (("this version", 0.05), ("the one before", 0.09)):
        staying, at_risk = 1.0, 30
        rows.append((curve, 0, 0.0, 0.0, 0.0, at_risk, 0))
        for minute in range(1, 31):
            gone = 1 if minute % round(1 / pace / 4) == 0 else 0
            censored = 1 if minute % 9 == 0 else 0
            staying *= 1 - gone / max(1, at_risk)
            share = 1 - staying
            rows.append((curve, minute, share, max(0, share - 0.12), min(1, share + 0.1), at_risk, censored))
            at_risk -= gone + censored
    return figure(
        "incidence", "curve x share low high at_risk censored", rows, x_label="Minutes played",
        title="Half of all people have left after 21 minutes",
    )  # fmt: skip


def strip(levels: int = 6, people: int = 10) -> Figure:
    given = random.Random(5)

    def actions(level: int) -> int:
        return min(400, max(level * 9, int(given.lognormvariate(3 + level / 4, 0.5))))

    rows: list[Row] = [
        (level, actions(level), label(person), replay(person, level))
        for level in range(1, levels + 1)
        for person in range(people)
    ]
    lines = [
        {"group": level, "name": name, "value": level * factor}
        for level in range(1, levels + 1)
        for name, factor in (("baseline", 16), ("best", 10), ("fewest known", 8))
    ]
    return figure(
        "strip", "group value label href", rows, lines=lines, value_label="Actions",
        title="Level 4 takes three times the actions of level 3",
    )  # fmt: skip


def progression(people: int = 30) -> Figure:
    given = random.Random(8)
    rows: list[Row] = []
    for person in range(people):
        actions = 0
        reached = given.randint(1, 7)
        name = f"{label(person)}, {reached * given.randint(6, 14)} %"
        for level in range(reached + 1):
            rows.append((label(person), actions, level, name, replay(person, level)))
            actions += given.randint(8, 90)
    return figure(
        "progression", "series x y label href", rows, x_label="Actions", y_label="Levels completed",
        title="Most people who pass level 3 complete the environment",
    )  # fmt: skip


def scatter(points: int = 60) -> Figure:
    given = random.Random(13)
    groups = ("solved", "unsolved", "left early")
    rows: list[Row] = [
        (given.randint(1, 60) / 2, given.randint(0, 12), label(person), given.choice(groups), replay(person))
        for person in range(points)
    ]
    return figure(
        "scatter", "x y label group href", rows, x_label="Minutes an environment", y_label="Levels completed",
        title="Faster people are not less accurate",
    )  # fmt: skip


def bars(number: int = 9) -> Figure:
    given = random.Random(21)
    rows: list[Row] = []
    for index in range(number):
        share = round(given.random(), 3)
        interval: tuple[Value, Value] = (
            (None, None) if index == 2 else (max(0, share - 0.2), min(1, share + 0.15))
        )
        rows.append((f"vq{index:02}", share, *interval, f"/staff/environments/vq{index:02}/"))
    return figure(
        "bars", "label value low high href", rows, value_label="Share of people who completed every level",
        title="Success differs sevenfold between environments",
    )  # fmt: skip


def histogram() -> Figure:
    given = random.Random(34)
    rows: list[Row] = [
        (low, low + 2, given.randint(0, 9), outcome, f"/staff/attempts/?outcome={outcome}")
        for low in range(0, 30, 2)
        for outcome in ("completed", "gave_up", "timed_out")
    ]
    return figure(
        "histogram", "low high people group href", rows, x_label="Minutes on the environment",
        line={"name": "as long as the median person", "value": 9},
        title="Those who give up do so within eight minutes",
    )  # fmt: skip


def heatmap() -> Figure:
    given = random.Random(55)

    def colour(x: int, y: int) -> str:
        if 20 < x < 30 and 10 < y < 40:
            return "c"
        return "e" if (x - 45) ** 2 + (y - 45) ** 2 < 90 else "4" if y > 55 else "5"

    frame = "".join(colour(x, y) for y in range(64) for x in range(64))
    cells: dict[tuple[int, int], int] = {}
    for _ in range(600):
        at = (int(given.gauss(44, 6)) % 64, int(given.gauss(45, 7)) % 64)
        cells[at] = cells.get(at, 0) + 1
    rows: list[Row] = [(x, y, number) for (x, y), number in cells.items()]
    return figure(
        "heatmap", "x y value", rows, frame=frame, value_label="Clicks", title="People click the green disc"
    )


PLAIN: tuple[Callable[[], Figure], ...] = (
    funnel, incidence, strip, progression, scatter, bars, histogram, heatmap,
)  # fmt: skip


def plain() -> list[Figure]:
    return [make() for make in PLAIN]


STYLED = (Outlook.OPEN, Outlook.UNKNOWN, Outlook.DEAD_END, Outlook.LOST, Outlook.WON)
BANDS = (Outlook.OPEN, Outlook.DEAD_END, Outlook.LOST)
FARTHEST = 8
"""Actions from the first state to a win."""


def state_space() -> Figure:
    """People on their way from the left to a win on the right; some end in a dead end, some lose."""
    marks = [(Outlook.OPEN, FARTHEST - distance, 12 - distance, 0) for distance in range(FARTHEST)]
    marks += [(Outlook.DEAD_END, 5, 3, 2), (Outlook.DEAD_END, 3, 2, 1), (Outlook.LOST, 4, 2, 2)]
    marks += [(Outlook.WON, 0, 4, 0)]
    rows: list[Row] = [
        (f"State {number}", OUTLOOK_LABELS[outlook], distance, 1, people, stopped, 0, "#figure-states")
        for number, (outlook, distance, people, stopped) in enumerate(marks, start=1)
    ]
    on_the_way = [(number, number + 1, 11 - number) for number in range(FARTHEST - 1)]
    return figure(
        "states", "label outlook x states people stopped returned href", rows,
        outlooks=[OUTLOOK_LABELS[one] for one in STYLED], bands=[OUTLOOK_LABELS[one] for one in BANDS],
        x_label="Actions to a win", from_start=False, farthest=FARTHEST, step=1, most_people=12,
        moves=on_the_way, explored=[(distance, 3 + distance * 2) for distance in range(FARTHEST + 1)],
        often_returned=[False] * len(rows), pictures=[None] * len(rows),
        title="Three of twelve people ended in a dead end",
    )  # fmt: skip


MANY = 3000
UNKNOWN_KIND = "unknown"


def every_kind() -> list[Figure]:
    """One figure of each kind."""
    return [*plain(), state_space()]


def states() -> list[Figure]:
    """A figure that is empty, failed, and with as much as is ever in one."""
    return [
        replace(funnel(), name="empty", title="Nobody has reached level 1 yet", rows=[]),
        replace(_named("failed", bars(), "How many complete each environment"), kind=UNKNOWN_KIND),
        _named("many-people", strip(6, MANY // 6), "Level 4 takes most actions of 3,000"),
        _named("many-bars", bars(30), "30 environments, of which each has its bar"),
        _named("many-marks", scatter(600), "600 people, none of whom hides another"),
    ]


def _named(name: str, figure: Figure, title: str) -> Figure:
    return replace(figure, name=name, title=title)
