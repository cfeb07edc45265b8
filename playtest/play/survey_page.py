"""The questions of a session's survey as its page shows them, with what was answered and why it is wrong."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from playtest.rules.errors import RuleError
from playtest.rules.survey import Question


@dataclass(frozen=True)
class AskedQuestion:
    """A question with the answer that was sent, "" for none, and what is wrong with it."""

    question: Question
    given: str = ""
    refusal: RuleError | None = None

    @property
    def options(self) -> list[tuple[str, str, bool]]:
        """Value, text, and whether it was chosen, of everything that can be chosen."""
        return [(str(value), text, str(value) == self.given) for value, text in self.question.options]


def asked(
    questions: Iterable[Question], posted: Mapping[str, str], wrong: Mapping[str, RuleError]
) -> list[AskedQuestion]:
    """The questions in their order; `posted` is what the page has sent, empty the first time."""
    return [
        AskedQuestion(question, posted.get(question.name, ""), wrong.get(question.name))
        for question in questions
    ]
