"""The two kinds of environment, which share identity, versions, stages, sets, attempts and results.

What the product may ask of a kind is here, so that nobody else compares kinds. What is done differently has a
table by kind where it is done: the moves between stages (`rules.pipeline`), imports (`studio.services`), the
content of a version (`studio.content`), what counts (`play.sessions.reads`), pages of results
(`insight.pages.kinds`).
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What pages call an environment of a kind, its parts and what is done in them, all in the singular.

    `tag` marks it where most environments are of the other kind, "" for that.
    """

    label: str
    tag: str
    noun: str
    part: str
    done: str
    act: str


class Kind(StrEnum):
    """What an environment is: a program with levels and frames, or a task with pairs of grids."""

    INTERACTIVE = "interactive"
    TASK = "task"

    @classmethod
    def of(cls, text: str | None) -> "Kind":
        """The kind that a form names; interactive if it names none."""
        return cls.TASK if text == cls.TASK else cls.INTERACTIVE

    @property
    def terms(self) -> Terms:
        return _TERMS[self]

    @property
    def has_levels(self) -> bool:
        """Whether its parts are levels: in order, lost and begun again, the better the fewer actions.

        The test inputs of a task are solved or not, in any order, and fewer edits are not better.
        """
        return self is Kind.INTERACTIVE

    @property
    def has_program(self) -> bool:
        """Whether it is foreign code, which is qualified, explored, and recorded in the official form."""
        return self is Kind.INTERACTIVE

    @property
    def tutorial(self) -> str:
        """The part of the tutorial that shows how it is played."""
        return "board" if self is Kind.INTERACTIVE else "task"

    def worked_until(
        self, seq: int | None, at: datetime | None, ended_at: datetime | None
    ) -> datetime | None:
        """Until when an attempt was interacted with; `seq` and `at` are its newest entry's, None without one.

        A task is worked on until its view ends, anything else until its last action. None before the first.
        """
        if self is Kind.TASK:
            return None if seq is None else ended_at
        return at if seq else None


_TERMS = {
    Kind.INTERACTIVE: Terms(
        label="interactive environment",
        tag="",
        noun="environment",
        part="level",
        done="completed",
        act="action",
    ),
    Kind.TASK: Terms(
        label="static task", tag="static task", noun="task", part="test input", done="solved", act="edit"
    ),
}
