"""How the recordings in `games/` were played. `python -m tests.games.plays` writes them anew, byte for byte.

U D L R: a direction; I: interact; Z: undo; X: reset of the level. In mb62 24>13 is two clicks, on column 2,
row 4 and then on column 1, row 3; a lone 24 is one click.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from uuid import NAMESPACE_URL, uuid5

from engine.actions import CLICK, RESET, UNDO, Action
from engine.game import Game
from engine.recording import RecordedTurn, Recording, write
from tests.games.rules import ENVIRONMENTS, GAMES, rules, source

SEED = 0

# One shortest way through every level, as tests.games.solver finds it.
FEWEST: dict[str, tuple[str, ...]] = {
    "vq37": (
        "UUUURRRRRDDDD",
        "UUURUULUURRRDDRDDRRRUULUU",
        "RUURRRUURRUULLDLLDDL",
        "RUUURRRRULLUUULUULLDLL",
        "LULUURUURRURURRRDDRDLLD",
        "URUUURUUURUURRRRRRDDDLDDDLDLD",
        "LLUUUULURUUURULLURRRRRURR",
        "RRULLUUUULUURRUULLUURRURRRRDR",
    ),
    "mb62": (
        "13>23 23>33 33>43 43>53",
        "24>13 14>13 02>12 13>12 12>22 22>32 11>42 42>32",
        "72>43 43>44 45>25 05>14 14>23 23>25 41>32 23>44",
        "42>43 43>44 41>44 47>45 43>32 45>44 21>44 44>32 20>43 43>32",
        "42>23 04>12 20>11 23>12 02>12 11>22 22>32 42>33 01>33",
        "47>36 66>36 36>25 25>14 06>14 14>22 30>21 22>12 03>02",
        "61>62 65>63 63>44 61>62 05>25 63>45 27>25 45>25 05>33 61>62 63>33 03>23 43>25",
    ),
    "tz85": (
        "UUIIIRRRRR",
        "LDDUULURUUDDRRRRDDDL",
        "RRULUULLLDLLDDDUULURDDR",
        "UIRDLULDLRRIIIILDRURLUIIUDD",
        "UUDLDLLUUIDDRRRDRIUUULUUDDR",
        "LLLDRRDLDLLUULRDULURUURRURURL",
        "ULLRUURRRRLLLUDDLDLDLDDDDDUURDD",
        "LDDDLDIUURUILLRRIUURRLUDDLL",
    ),
}

# What the player of the winning recording tried before finding the way, reset or undone in the end.
TRIED: dict[str, tuple[str, ...]] = {
    "vq37": (
        "UUUURRDDDRUUUULL X",
        "UUUUUUURR X",
        "UULLRRDD X",
        "UURRULD X",
        "UURR X",
        "UUURRU X",
        "",
        "UURRU X",
    ),
    "mb62": ("13 77 13 13", "14>24 13 13 X", "41>43 43 00 X", "41>42 X", "33 33", "66>36 X", "51>62 X"),
    "tz85": ("RRRLL X", "RRLL X", "UUUZZZ UZLZ", "UZLZLUZZ", "LLUUIZ X", "UUX LLZZ", "UZULLZZZ", "LDZZ LLZZ"),
}

# Given up or lost: level 1 is done, then the line runs out, or a ball falls off the plate.
LOST: dict[str, str] = {
    "vq37": FEWEST["vq37"][0] + "UURRDDLL" * 15,
    "mb62": FEWEST["mb62"][0] + " 24>14 04>14" * 14,
    "tz85": FEWEST["tz85"][0] + FEWEST["tz85"][1] + "LLI",
}


def actions(environment: str, written: str) -> Iterator[Action]:
    """The actions a text stands for."""
    if environment == "mb62":
        for token in written.split():
            yield from [Action(RESET)] if token == "X" else map(_click, token.split(">"))
    else:
        for sign in written.replace(" ", ""):
            yield Action({"X": RESET, "U": 1, "D": 2, "L": 3, "R": 4, "I": 5, "Z": UNDO}[sign])


def winning_actions(environment: str) -> Iterator[Action]:
    """A whole run: every level with what was tried first."""
    for tried, fewest in zip(TRIED[environment], FEWEST[environment], strict=True):
        yield from actions(environment, f"{tried} {fewest}")


def lines(environment: str, outcome: str) -> Iterator[str]:
    """The lines of `recordings/<outcome>.jsonl`, without frames; outcome is win or loss."""
    played = winning_actions(environment) if outcome == "win" else actions(environment, LOST[environment])
    game, turn = Game.start(source(environment), SEED)
    moment = datetime(2026, 1, 5, 10, tzinfo=UTC)
    turns = [RecordedTurn.of(Action(RESET), turn, moment.isoformat())]
    for action in played:
        moment += timedelta(milliseconds=900)
        turns.append(RecordedTurn.of(action, game.act(action), moment.isoformat()))
    guid = str(uuid5(NAMESPACE_URL, f"{source(environment).game_id}/{outcome}"))
    return write(Recording(tuple(turns), source(environment).game_id, guid), frames=False)


def _click(point: str) -> Action:
    across, down = (rules("mb62").MARGIN + rules("mb62").PITCH * int(digit) + 3 for digit in point)
    return Action(CLICK, across, down)


if __name__ == "__main__":
    for name in ENVIRONMENTS:
        for result in ("win", "loss"):
            file = GAMES / name / "recordings" / f"{result}.jsonl"
            file.write_text("".join(lines(name, result)), encoding="utf-8")
