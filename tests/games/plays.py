"""Writes the recordings in `games/`: `python -m tests.games.plays` repeats them exactly.

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
    "ke52": (
        "DDRRRDDRRRRRRR",
        "DDDDDRRDDRRUUULURRURRDRURDDDUUUUURULLLLLLLLL",
        "DRRRRRRDDDRDLLLLLULDDDDLDRRRLLUUUUUULLLLDDDDDDD",
        "UUUUUURRUURRRRRRRDDDDDDRDLLLLLLDLUUUUUULURURRRRRULLLLLLL",
        "DDRRRRRDDLDDDRRRRDRUUUUURULUURULLLLLLLLL",
        "DDDDDRRRDDRRULDLUUULUURRDDRRRRUUUUUUU",
        "UULUULLLLUUUURULULDDDDRDLULDDDLDRRRDRURUURRUUUUURRR",
        "DDDRRRDLDDDRDDLUUDRRULLLURDRRURRRRUUUUUUU",
    ),
    "mb62": (
        "13>23 23>33 33>43 43>53",
        "65>64 64>63 63>62 62>61 60>51 61>42 51>42 42>33 33>23 23>24 24>25 25>26",
        "25>26 27>36 33>45 57>36 15>26 37>36 36>45 45>35 35>25 15>26 37>25 25>26",
        "20>32 55>44 44>33 22>32 33>42 42>32 32>21 10>22 51>34 34>22 22>21 10>20 20>21",
        "30>43 37>56 75>55 26>35 35>44 56>43 53>43 30>33 33>44 44>55 55>66 66>43",
        "47>56 56>65 72>74 74>65 65>56 76>56 47>36 56>36 16>25 36>46 56>34 34>25",
        "61>52 43>55 67>65 55>63 71>52 05>33 61>43 63>43 33>23 23>25 27>44 61>52",
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
    "ke52": (
        "RRRRRDDDDDRRR X",
        "DDDDDRRRRUUURR X",
        "RRRRRRRDDDDDDDDDD X",
        "UUUUUURRUURRRRRRRUU X",
        "DDDDDRRDDRRUUULURR X",
        "DDDDDRRRRRUU X",
        "UULUULLLLUUUU X",
        "DDDRRRDDDLL X",
    ),
    "mb62": ("13 77 13 13", "65>64 64 64 X", "25>26 33 00 X", "20>32 X", "26 26", "47>56 X", "61>52 X"),
    "tz85": ("RRRLL X", "RRLL X", "UUUZZZ UZLZ", "UZLZLUZZ", "LLUUIZ X", "UUX LLZZ", "UZULLZZZ", "LDZZ LLZZ"),
}

# Lost or given up: level 1 is done, then the line runs out, a ball falls off the plate, or nothing is found.
LOST: dict[str, str] = {
    "ke52": FEWEST["ke52"][0] + "DDDDDRRRRUUURRDDLLUU" + "LLDDRRUU" * 2,
    "mb62": FEWEST["mb62"][0] + " 65>64 63>64" * 14,
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
    """Returns the actions of a whole run: every level, wrong tries first."""
    for tried, fewest in zip(TRIED[environment], FEWEST[environment], strict=True):
        yield from actions(environment, f"{tried} {fewest}")


def lines(environment: str, outcome: str) -> Iterator[str]:
    """The lines of `recordings/<outcome>.jsonl`, without frames; outcome is win or loss."""
    played = winning_actions(environment) if outcome == "win" else actions(environment, LOST[environment])
    game, turn = Game.start(source(environment), SEED)
    moment = datetime(2026, 1, 5, 10, tzinfo=UTC)
    turns = [RecordedTurn.of(Action(RESET), turn, turn.frames, moment.isoformat())]
    for action in played:
        moment += timedelta(milliseconds=900)
        turn = game.act(action)
        turns.append(RecordedTurn.of(action, turn, turn.frames, moment.isoformat()))
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
