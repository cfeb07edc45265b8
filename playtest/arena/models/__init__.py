"""API keys, scorecards, the runs on them, what was disclosed of scores, and the entries of boards."""

from playtest.arena.models.boards import Board, BoardEntry
from playtest.arena.models.cards import CloseReason, Play, Run, Scorecard
from playtest.arena.models.keys import ApiKey, Disclosure

__all__ = [
    "ApiKey",
    "Board",
    "BoardEntry",
    "CloseReason",
    "Disclosure",
    "Play",
    "Run",
    "Scorecard",
]
