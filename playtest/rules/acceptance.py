"""The gate "easy for humans" (report 5.1).

Members of the public try each environment. It passes if enough of them, independently of each other, complete
all its levels; otherwise it goes back to its developer.
"""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from playtest.rules.errors import RuleError
from playtest.rules.text import counted


class Gate(StrEnum):
    PASSED = "passed"
    NEEDS_PEOPLE = "needs_people"
    BACK = "back"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The gate's verdict on `people` whose attempts count; `solvers` of them completed everything.

    `more` people must still play, 0 once the gate has decided. `can_pass`: the gate has passed, or would pass
    if all of them completed every level. `sentence` states all this in words.
    """

    gate: Gate
    people: int
    solvers: int
    more: int
    can_pass: bool
    sentence: str


@dataclass(frozen=True, slots=True)
class Acceptance:
    """How many people try an environment, and how many of them must complete all its levels.

    A study may ask for fewer people than must solve it, such as a pilot: the gate does not pass by it alone.
    Raises RuleError `target_not_positive`, `solvers_not_positive`.
    """

    people: int
    solvers: int

    def __post_init__(self) -> None:
        if self.people < 1:
            message = "The target must be at least one person per environment."
            raise RuleError("target_not_positive", message)
        if self.solvers < 1:
            raise RuleError("solvers_not_positive", "At least one person must complete all levels.")

    def verdict(self, people: int, solvers: int) -> Verdict:
        """The gate's verdict. More people than the target all count, as do their solutions.

        Nothing is decided before the target is reached, even where the end is certain: the protocol has
        everyone play. Raises RuleError `solvers_out_of_range` unless 0 <= solvers <= people.
        """
        if not 0 <= solvers <= people:
            raise RuleError("solvers_out_of_range", f"{solvers} of {people} people cannot have solved it.")
        more = max(self.people - people, 0)
        solved = f"{solvers} of {people} completed all levels"
        gate, sentence = self._decided(solvers, solved)
        if more:
            gate, sentence = Gate.NEEDS_PEOPLE, _to_come(people, solvers, more, self.solvers)
        return Verdict(gate, people, solvers, more, solvers + more >= self.solvers, sentence)

    def verdict_on_task(self, people: int, solvers: int, partly: int) -> Verdict:
        """The gate's verdict on a static task (ARC-AGI-2 paper, section 5).

        `partly` people solved one or more of its pairs, `solvers` of them all. It passes as soon as enough
        did, and goes back once the target is reached without. Raises RuleError solvers_out_of_range unless
        0 <= solvers <= partly <= people.
        """
        if not 0 <= solvers <= partly <= people:
            raise RuleError("solvers_out_of_range", f"{partly} of {people} people cannot have solved a pair.")
        more = 0 if partly >= self.solvers else max(self.people - people, 0)
        solved = f"{partly} of {people} solved one or more test pairs, {solvers} all"
        gate, sentence = self._decided(partly, solved)
        if more:
            further = counted(more, "more person", "more people")
            gate, sentence = Gate.NEEDS_PEOPLE, f"{solved}; {self.solvers} must, and {further} may try."
        return Verdict(gate, people, solvers, more, partly + more >= self.solvers, sentence)

    def _decided(self, reached: int, solved: str) -> tuple[Gate, str]:
        """The gate and its sentence once nobody more has to try."""
        one = self.solvers == 1
        if reached >= self.solvers:
            return Gate.PASSED, f"{solved}; {self.solvers} {'is' if one else 'are'} enough."
        return Gate.BACK, f"{solved}; at least {self.solvers} {'was' if one else 'were'} needed."


def strictest(asked: Collection[Acceptance]) -> Acceptance | None:
    """The most people and the most solvers that any of these asks for; None where there are none."""
    if not asked:
        return None
    return Acceptance(max(one.people for one in asked), max(one.solvers for one in asked))


def _to_come(people: int, solvers: int, more: int, minimum: int) -> str:
    so_far = f"{counted(more, 'more person', 'more people')} must try it"
    if people:
        so_far = f"Of the {people} so far, {solvers} completed all levels; {so_far}"
    missing = minimum - solvers
    if missing <= 0:
        return f"{so_far}; that is enough, it can only pass."
    if missing > more:
        return f"{so_far}; it can no longer pass."
    complete = "completes" if missing == 1 else "complete"
    return f"{so_far}; it passes if {missing} of them {complete} every level."
