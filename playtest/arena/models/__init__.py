"""API keys, scorecards, runs on them, what was disclosed of scores, entries of boards, submission files."""

from playtest.arena.models.boards import Board, BoardEntry, Declaration, Harness, Removal
from playtest.arena.models.cards import CardNote, CloseReason, Play, PlaySummary, Run, Scorecard
from playtest.arena.models.keys import ApiKey, Disclosure, KeyChange, KeyDay
from playtest.arena.models.submissions import ScoredTask, SubmissionFile, SubmissionRemoval

__all__ = [
    "ApiKey",
    "Board",
    "BoardEntry",
    "CardNote",
    "CloseReason",
    "Declaration",
    "Disclosure",
    "Harness",
    "KeyChange",
    "KeyDay",
    "Play",
    "PlaySummary",
    "Removal",
    "Run",
    "Scorecard",
    "ScoredTask",
    "SubmissionFile",
    "SubmissionRemoval",
]
