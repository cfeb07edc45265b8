"""The stages from an idea to a release, and the gates between them (report 3.2).

`MOVES` is the one place where stages and gates are declared; it is checked when this module is imported.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from playtest.rules.errors import RuleError


class Stage(StrEnum):
    SPECIFICATION = "specification"
    INTERNAL = "internal"
    EXTERNAL = "external"
    DONE = "done"


class Need(StrEnum):
    """What a gate asks for."""

    VERSION = "version"
    NOTE = "note"
    OWNER = "owner"
    LEVELS = "levels"
    QUALIFIED = "qualified"
    UNGUESSABLE = "unguessable"
    ACCEPTED = "accepted"


NEEDS = {
    Need.VERSION: "an imported version",
    Need.NOTE: "a designer's note",
    Need.OWNER: "an owner",
    Need.LEVELS: "enough levels",
    Need.QUALIFIED: "a full qualification of the current version that passed",
    Need.UNGUESSABLE: "every level past the first too hard for a random player",
    Need.ACCEPTED: "acceptance by members of the public",
}
"""Each in words."""


@dataclass(frozen=True, slots=True)
class Move:
    """A way from one stage to another: what it needs, and whether whoever moves must say why."""

    before: Stage
    after: Stage
    needs: tuple[Need, ...] = ()
    words: bool = False

    @property
    def forward(self) -> bool:
        return _place(self.after) > _place(self.before)


@dataclass(frozen=True, slots=True)
class Fact:
    """Whether something a gate needs is there, the sentence that says so, and plain data to keep."""

    met: bool
    words: str
    data: Mapping[str, object] | None = None


MOVES = (
    Move(Stage.SPECIFICATION, Stage.INTERNAL, (Need.VERSION, Need.NOTE, Need.OWNER)),
    Move(Stage.INTERNAL, Stage.EXTERNAL, (Need.LEVELS, Need.QUALIFIED, Need.UNGUESSABLE)),
    # A version that was imported since must be as sound as the one that went out.
    Move(Stage.EXTERNAL, Stage.DONE, (Need.ACCEPTED, Need.LEVELS, Need.QUALIFIED, Need.UNGUESSABLE)),
    Move(Stage.INTERNAL, Stage.SPECIFICATION, words=True),
    Move(Stage.EXTERNAL, Stage.INTERNAL, words=True),
    Move(Stage.DONE, Stage.INTERNAL, words=True),
)


def find_move(before: Stage, after: Stage, moves: Collection[Move] = MOVES) -> Move:
    """RuleError no_such_move."""
    for move in moves:
        if (move.before, move.after) == (before, after):
            return move
    raise RuleError("no_such_move", f"There is no way from {before} to {after}.")


def next_move(stage: Stage, moves: Collection[Move] = MOVES) -> Move | None:
    """The way forward; None from the last stage."""
    return next((move for move in moves if move.before == stage and move.forward), None)


def moves_back(stage: Stage, moves: Collection[Move] = MOVES) -> list[Move]:
    """The ways back."""
    return [move for move in moves if move.before == stage and not move.forward]


def unmet(move: Move, facts: Mapping[Need, Fact]) -> list[Fact]:
    """What keeps the move from being made, in the gate's order; RuleError fact_missing."""
    return [facts[need] for need in unmet_needs(move, facts)]


def unmet_needs(move: Move, facts: Mapping[Need, Fact]) -> list[Need]:
    """The needs that `unmet` tells of; RuleError fact_missing."""
    missing = [need for need in move.needs if need not in facts]
    if missing:
        raise RuleError("fact_missing", f"Nothing is known of: {', '.join(missing)}.")
    return [need for need in move.needs if not facts[need].met]


def check_declaration(moves: Collection[Move], words: Mapping[Need, str] = NEEDS) -> None:
    """RuleError pipeline_invalid, saying what is wrong with a declaration of stages and gates."""
    for move in moves:
        _check_move(move, words)
    ways = [(move.before, move.after) for move in moves]
    if len(set(ways)) != len(ways):
        raise _invalid("a move is declared twice")
    for before, after in pairwise(Stage):
        if next_move(before, moves) is None:
            raise _invalid(f"nothing leads on from {before}")
        if not moves_back(after, moves):
            raise _invalid(f"nothing leads back from {after}")


def _check_move(move: Move, words: Mapping[Need, str]) -> None:
    way = f"{move.before} to {move.after}"
    steps = _place(move.after) - _place(move.before)
    problems = {
        "is no way between two stages": steps == 0,
        "leaves out a stage": steps > 1,
        "has no gate": steps > 0 and not move.needs,
        "needs words and nothing else, as every way back": steps < 0 and (bool(move.needs) or not move.words),
    }
    for problem, there in problems.items():
        if there:
            raise _invalid(f"{way} {problem}")
    if unknown := [need for need in move.needs if need not in words]:
        raise _invalid(f"{unknown[0]} is not described")


def _place(stage: Stage) -> int:
    return list(Stage).index(stage)


def _invalid(reason: str) -> RuleError:
    return RuleError("pipeline_invalid", f"The stages are declared wrongly: {reason}.")


check_declaration(MOVES)
