"""The survey before the tutorial: a few questions, each of which may be skipped.

A question is answered by a choice, a whole number, a text, or a step of a scale. In the data its answers have
its name.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from playtest.rules.document import added
from playtest.rules.errors import RuleError
from playtest.rules.text import storable, visible

type Answer = str | int

MOST_QUESTIONS = 30
MOST_CHOICES = 30
LONGEST_TEXT = 300
"""Letters of a question or the label of a choice, at most."""
MOST_LETTERS = 500
"""Letters of a text that answers a question, at most."""
MOST_STEPS = 11
BANDS = 5
LARGEST = 1_000_000_000
_NAME = re.compile("[a-z][a-z0-9_]{0,39}")
_WHOLE = re.compile("[+-]?[0-9]{1,10}")


class Kind(StrEnum):
    """How a question is answered."""

    CHOICE = "choice"
    NUMBER = "number"
    TEXT = "text"
    SCALE = "scale"


KIND_LABELS = {
    Kind.CHOICE: "one of several choices",
    Kind.NUMBER: "a whole number",
    Kind.TEXT: "a text",
    Kind.SCALE: "a step of a scale",
}


@dataclass(frozen=True, slots=True)
class Question:
    """One question. `choices` pair the stored value with the text that participants read.

    A number is between `least` and `most`, the steps of a scale go from `least` to `most` with `ends` beside
    them, a text has at most `most` letters. Raises RuleError question_name_invalid, question_text_missing,
    question_text_too_long, question_kind_unknown, choices_invalid, choice_taken, bounds_invalid.
    """

    name: str
    text: str
    choices: tuple[tuple[str, str], ...]
    kind: str = added(Kind.CHOICE.value)
    least: int = added(0)
    most: int = added(0)
    ends: tuple[str, str] = added(("", ""))
    ordered: bool = added(False)
    """Whether the choices are in their order, from less to more or from more to less."""

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            message = "Name it with a small letter and up to 39 small letters, digits and underscores."
            raise RuleError("question_name_invalid", message)
        _check_text(self.text, "question")
        match self.kind:
            case Kind.CHOICE:
                _check_choices(self.choices)
            case Kind.NUMBER:
                _check_bounds(-LARGEST <= self.least < self.most <= LARGEST, "the most above the least")
            case Kind.TEXT:
                _check_bounds(1 <= self.most <= MOST_LETTERS, f"1 to {MOST_LETTERS} letters")
            case Kind.SCALE:
                rightly = 0 <= self.least < self.most < self.least + MOST_STEPS <= LARGEST
                _check_bounds(rightly, f"2 to {MOST_STEPS} steps, from 0 or more")
            case _:
                raise RuleError("question_kind_unknown", f"There is no kind {self.kind!r} of question.")

    @property
    def options(self) -> tuple[tuple[Answer, str], ...]:
        """The stored value and the text of everything that can be chosen; empty for a number and a text."""
        if self.kind == Kind.SCALE:
            return tuple((step, str(step)) for step in range(self.least, self.most + 1))
        return self.choices

    @property
    def is_whole(self) -> bool:
        """Whether its answers are whole numbers."""
        return self.kind in (Kind.NUMBER, Kind.SCALE)

    @property
    def groups(self) -> tuple[tuple[str, str], ...]:
        """Name and text of the groups into which people fall by their answers; empty for a text.

        Numbers fall into `BANDS` bands of equal width from the least to the most that may be answered.
        """
        if self.kind != Kind.NUMBER:
            return tuple((str(value), self._step(str(value), text)) for value, text in self.options)
        edges = [self.least + (self.most + 1 - self.least) * place // BANDS for place in range(BANDS + 1)]
        bands = [(low, high - 1) for low, high in pairwise(edges) if low < high]
        return tuple(
            (f"{low}..{high}", f"{low}" if low == high else f"{low} to {high}") for low, high in bands
        )

    def group_of(self, answer: Answer | None) -> str | None:
        """The name of the group of who answered this; None for no answer and for one to another wording."""
        if self.kind == Kind.NUMBER and isinstance(answer, int):
            bands = (name for name, _ in self.groups)
            return next((name for name in bands if _within(answer, name)), None)
        return next((name for name, _ in self.groups if name == str(answer)), None)

    def _step(self, value: str, text: str) -> str:
        """The text of a choice, or of a step with the label that it has at an end of the scale."""
        ends = {str(self.least): self.ends[0], str(self.most): self.ends[1]}
        label = ends.get(value, "") if self.kind == Kind.SCALE else ""
        return f"{text} ({label})" if label else text

    def answer(self, posted: str) -> Answer | None:
        """What is stored for the value that a page sent; None for none.

        Raises RuleError answer_unknown, answer_not_whole, answer_out_of_range, answer_too_long.
        """
        given = visible(posted.replace("\r\n", "\n"))
        if not given:
            return None
        if self.kind == Kind.TEXT:
            return self._text(given)
        if self.kind == Kind.CHOICE:
            if given not in dict(self.choices):
                raise RuleError("answer_unknown", "Choose one of the answers, or none.")
            return given
        if not _WHOLE.fullmatch(given):
            raise RuleError("answer_not_whole", "Write a whole number, such as 7, or nothing.")
        if not self.least <= (number := int(given)) <= self.most:
            message = f"Write a number from {self.least} to {self.most}, or nothing."
            raise RuleError("answer_out_of_range", message)
        return number

    def _text(self, given: str) -> str:
        if len(given) > self.most or not storable(given):
            raise RuleError("answer_too_long", f"Write at most {self.most} letters.")
        return given


def check_survey(questions: Sequence[Question]) -> None:
    """Raises RuleError question_name_taken, questions_too_many."""
    if len(questions) > MOST_QUESTIONS:
        raise RuleError("questions_too_many", f"A survey has at most {MOST_QUESTIONS} questions.")
    names = [question.name for question in questions]
    for name in names:
        if names.count(name) > 1:
            raise RuleError("question_name_taken", f"Two questions are named {name}: rename one of them.")


def answers_in(
    questions: Iterable[Question], posted: Mapping[str, str]
) -> tuple[dict[str, Answer], dict[str, RuleError]]:
    """The valid answers by question name, and why others are not; skipped questions are in neither."""
    answers: dict[str, Answer] = {}
    wrong: dict[str, RuleError] = {}
    for question in questions:
        try:
            answer = question.answer(posted.get(question.name, ""))
        except RuleError as error:
            wrong[question.name] = error
        else:
            if answer is not None:
                answers[question.name] = answer
    return answers, wrong


def _within(answer: int, band: str) -> bool:
    low, high = map(int, band.split(".."))
    return low <= answer <= high


def _check_text(text: str, what: str) -> None:
    if not text.strip() or not storable(text):
        raise RuleError(f"{what}_text_missing", "Write the question.")
    if len(text) > LONGEST_TEXT:
        raise RuleError(f"{what}_text_too_long", f"A question has at most {LONGEST_TEXT} letters.")


def _check_choices(choices: Sequence[tuple[str, str]]) -> None:
    rightly = 2 <= len(choices) <= MOST_CHOICES and all(
        value.strip() == value and label.strip() and storable(value + label) and 0 < len(value) <= 40
        for value, label in choices
    )
    if not rightly or any(len(label) > LONGEST_TEXT for _, label in choices):
        message = f"Give 2 to {MOST_CHOICES} choices, each on a line of its own."
        raise RuleError("choices_invalid", message)
    if len(dict(choices)) < len(choices):
        raise RuleError("choice_taken", "Two choices have the same value: change one of them.")


def _check_bounds(right: bool, wanted: str) -> None:
    if not right:
        raise RuleError("bounds_invalid", f"Give whole numbers: {wanted}.")
