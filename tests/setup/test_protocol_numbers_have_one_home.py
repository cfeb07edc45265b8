"""The numbers of the protocol are written in `rules/protocol.py` only."""

import re
from functools import cache
from pathlib import Path

import pytest

from playtest.rules.protocol import DEFAULT

ROOT = Path(__file__).parents[2]
READ = {
    "playtest": "**/*.py",
    "engine": "**/*.py",
    "templates": "**/*.html",
    "static": "**/*.js",
    "docs": "**/*.md",
    ".": "README.md",
}
HOMES = ("playtest/rules/protocol.py", "playtest/rules/effort/thresholds.py")
OTHER = (
    "/migrations/",  # what held when they were written
    "static/vendor/",
    "docs/decisions/",  # dated
    "docs/wire.md",  # sample messages
)


def minutes(seconds: int) -> str:
    """Returns patterns of a time in minutes or seconds: as text, as code and as a product."""
    whole, names = seconds // 60, {20: "twenty", 30: "thirty", 90: "ninety"}
    thousands = f"{seconds:_}".replace("_", "[_,]?")
    return rf"\b({whole}|{names[whole]})[ -]min|\b{whole} ?\* ?60\b|(?<!_MS = )\b{thousands}\b"


def numbers() -> list[str]:
    attempt, gate, player, pay = DEFAULT.attempt, DEFAULT.acceptance, DEFAULT.random_player, DEFAULT.pay
    large = f"{player.one_win_in:_}".replace("_", "[_,]?")
    limits = (DEFAULT.limits.soft_seconds, DEFAULT.limits.hard_seconds, DEFAULT.limits.session_seconds)
    return [
        *map(minutes, limits),
        rf"\b({attempt.more_than_actions}|thirty)[ -]action",
        rf"\b(more|fewer|less) than ({attempt.more_than_actions}|thirty)\b",
        rf"\b({gate.people}|ten) (people|members|participants|persons)\b",
        rf"\b({gate.solvers}|two) solvers\b|at least ({gate.solvers}|two) (of them|people)",
        rf"\b1 (in|of|try in) {large}|\b1 ?/ ?{large}",
        rf"\b({player.budget_factor}|five) times (the )?fewest",
        rf"[$]{pay.fee:.0f}|{pay.fee}|[$]{pay.bonus:.0f}\b",
    ]


@cache
def lines() -> list[tuple[str, str]]:
    """Every line of every file, with its place."""
    found = (path for folder, name in READ.items() for path in (ROOT / folder).glob(name))
    read = [path for path in found if not place_of(path).startswith(HOMES) and not exempt(place_of(path))]
    return [
        (f"{place_of(path)}:{at}", line)
        for path in read
        for at, line in enumerate(path.read_text().splitlines(), start=1)
    ]


def exempt(place: str) -> bool:
    return any(part in place for part in OTHER)


def place_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("number", numbers())
def test_each_number_of_the_protocol_is_written_once(number: str) -> None:
    pattern = re.compile(number, re.IGNORECASE)
    assert [f"{place}: {line.strip()}" for place, line in lines() if pattern.search(line)] == []


@pytest.mark.parametrize(
    "line",
    [
        "more than 30 actions", "30 minutes", "hard = 30 * 60", "limit = 1800", "limit = 5_400",
        "twenty minutes", "90-minute sessions", "10 people", "ten members of the public",
        "1 in 10,000", "1 / 10_000", "5 times the fewest actions", "$115 a session", "115.00",
        "at least two of them",
    ],
)  # fmt: skip
def test_each_notation_of_a_number_is_found(line: str) -> None:
    assert any(re.search(number, line, re.IGNORECASE) for number in numbers())
