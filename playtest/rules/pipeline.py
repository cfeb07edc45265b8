"""The stages from an idea to a release, and the gates between them (report 3.2).

`MOVES_OF` is the one place where stages and gates are declared, for each kind of environment.

The gate to External asks for internal plays (decision 132). It counts people, not plays: whoever made an
environment cannot see it as somebody who does not know it.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from playtest.rules.errors import RuleError
from playtest.rules.kinds import Kind


class Stage(StrEnum):
    SPECIFICATION = "specification"
    INTERNAL = "internal"
    EXTERNAL = "external"
    DONE = "done"


WITH_PEOPLE = (Stage.EXTERNAL, Stage.DONE)
"""Where members of the public play it."""


class Need(StrEnum):
    """What a gate requires."""

    CARD = "card"
    VERSION = "version"
    NOTE = "note"
    OWNER = "owner"
    PLAYED = "played"
    LEVELS = "levels"
    QUALIFIED = "qualified"
    UNGUESSABLE = "unguessable"
    DISTINCT = "distinct"
    ACCEPTED = "accepted"


NEEDS = {
    Need.CARD: "a specification card that others signed",
    Need.VERSION: "an imported version",
    Need.NOTE: "a designer's note",
    Need.OWNER: "an owner",
    Need.PLAYED: "plays by two of the team who do not own it",
    Need.LEVELS: "enough levels",
    Need.QUALIFIED: "a full qualification of the current version that passed",
    Need.UNGUESSABLE: "every level past the first too hard for a random player",
    Need.DISTINCT: "no redundancy mark that awaits a second person",
    Need.ACCEPTED: "acceptance by members of the public",
}
"""A description of each need."""
WAIVABLE = tuple(need for need in Need if need is not Need.VERSION)
"""What a lead can let an environment go without."""
OF_VERSION = frozenset({Need.PLAYED, Need.LEVELS, Need.QUALIFIED, Need.UNGUESSABLE, Need.ACCEPTED})
"""Needs about one version, as are their waivers."""


@dataclass(frozen=True, slots=True)
class Move:
    """A move from one stage to another: what it needs, and whether it must have a reason."""

    before: Stage
    after: Stage
    needs: tuple[Need, ...] = ()
    requires_reason: bool = False

    @property
    def forward(self) -> bool:
        return _place(self.after) > _place(self.before)


@dataclass(frozen=True, slots=True)
class Fact:
    """Whether a need is met or `waived`, the sentence that says so, and plain data to store."""

    met: bool
    sentence: str
    data: Mapping[str, object] | None = None

    @property
    def waived(self) -> bool:
        return "waived" in (self.data or {})


_DESCRIBED = (Need.CARD, Need.VERSION, Need.NOTE, Need.OWNER)
_SOUND = (Need.LEVELS, Need.QUALIFIED, Need.UNGUESSABLE)

MOVES = (
    Move(Stage.SPECIFICATION, Stage.INTERNAL, (*_DESCRIBED, Need.DISTINCT)),
    Move(Stage.INTERNAL, Stage.EXTERNAL, (Need.PLAYED, *_SOUND, Need.DISTINCT)),
    # A version that was imported since must be as sound as the one that went out.
    Move(Stage.EXTERNAL, Stage.DONE, (Need.ACCEPTED, *_SOUND, Need.DISTINCT)),
    Move(Stage.INTERNAL, Stage.SPECIFICATION, requires_reason=True),
    Move(Stage.EXTERNAL, Stage.INTERNAL, requires_reason=True),
    Move(Stage.DONE, Stage.INTERNAL, requires_reason=True),
)

TASK_MOVES = (
    # A task has no program to qualify or play at random, one level a test input, and its rule in its pairs.
    Move(Stage.SPECIFICATION, Stage.INTERNAL, (Need.VERSION, Need.OWNER, Need.DISTINCT)),
    Move(Stage.INTERNAL, Stage.EXTERNAL, (Need.PLAYED, Need.DISTINCT)),
    Move(Stage.EXTERNAL, Stage.DONE, (Need.ACCEPTED, Need.DISTINCT)),
    *(move for move in MOVES if move.requires_reason),
)
"""The moves of static tasks (decision 183)."""
MOVES_OF: Mapping[str, tuple[Move, ...]] = {Kind.INTERACTIVE: MOVES, Kind.TASK: TASK_MOVES}


def find_move(before: Stage, after: Stage, moves: Collection[Move] = MOVES) -> Move:
    """RuleError no_such_move."""
    for move in moves:
        if (move.before, move.after) == (before, after):
            return move
    raise RuleError("no_such_move", f"No move leads from {before} to {after}.")


def next_move(stage: Stage, moves: Collection[Move] = MOVES) -> Move | None:
    """The move to the next stage; None from the last stage."""
    return next((move for move in moves if move.before == stage and move.forward), None)


def moves_back(stage: Stage, moves: Collection[Move] = MOVES) -> list[Move]:
    """The moves to earlier stages."""
    return [move for move in moves if move.before == stage and not move.forward]


def unmet(move: Move, facts: Mapping[Need, Fact]) -> list[Fact]:
    """The facts that block a move, in the gate's order; RuleError fact_missing."""
    return [facts[need] for need in unmet_needs(move, facts)]


def unmet_needs(move: Move, facts: Mapping[Need, Fact]) -> list[Need]:
    """The needs that block a move, in the gate's order; RuleError fact_missing."""
    missing = [need for need in move.needs if need not in facts]
    if missing:
        raise RuleError("fact_missing", f"Nothing is known of: {', '.join(missing)}.")
    return [need for need in move.needs if not facts[need].met]


def _place(stage: Stage) -> int:
    return list(Stage).index(stage)


INTERNAL_PLAYERS = 2
"""So many members of the team who do not own the environment have to play its current version."""


@dataclass(frozen=True, slots=True)
class InternalPlay:
    """What one internal play of a version came to; `player` is the account, by its key.

    `commented`: the player wrote a comment on it, such as why it was left.
    """

    attempt: int
    player: int
    levels: int
    commented: bool = False

    @property
    def counts(self) -> bool:
        """Whether somebody really played: a level was completed, or a comment says how it ended."""
        return self.levels >= 1 or self.commented


def plays_that_count(plays: Iterable[InternalPlay], owner: int | None) -> dict[int, InternalPlay]:
    """Of each player but the owner, the first play that counts, in the order given."""
    found: dict[int, InternalPlay] = {}
    for play in plays:
        if play.counts and play.player != owner:
            found.setdefault(play.player, play)
    return found
