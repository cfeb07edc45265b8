"""What a study prescribes for static tasks (ARC-AGI-2 paper, section 4)."""

from dataclasses import dataclass

from playtest.rules.errors import RuleError
from playtest.rules.tasks.success import counts_as_attempt

MOST_SUBMISSIONS = 100
LONGEST_VIEW_SECONDS = 600


@dataclass(frozen=True, slots=True)
class TaskRule:
    """How static tasks are played, and which views of one count.

    The first `tries` submissions for each test input count; `most_submissions` are taken and stored.
    `feedback`: each is answered with right or wrong. `going_back`: a task can be set aside and taken up
    again. A view counts as an attempt if it took more than `view_seconds`.

    Raises RuleError task_rule_invalid.
    """

    tries: int = 2
    most_submissions: int = 2
    feedback: bool = True
    going_back: bool = True
    view_seconds: int = 5

    def __post_init__(self) -> None:
        if not 1 <= self.tries <= self.most_submissions <= MOST_SUBMISSIONS:
            message = f"Give at least one try, and from as many to {MOST_SUBMISSIONS} submissions."
            raise RuleError("task_rule_invalid", message)
        if not 0 <= self.view_seconds <= LONGEST_VIEW_SECONDS:
            message = f"A view counts after 0 to {LONGEST_VIEW_SECONDS} seconds."
            raise RuleError("task_rule_invalid", message)

    def counts(self, seconds: float) -> bool:
        """Whether a view of `seconds` was an attempt."""
        return counts_as_attempt(seconds, self.view_seconds)

    def why_not_counted(self, seconds: float) -> str | None:
        """Say in a sentence why a view is no attempt, or None when it is one."""
        if self.counts(seconds):
            return None
        viewed = f"it was viewed for {seconds:.1f} s"
        return f"Not counted: {viewed} and must be for more than {self.view_seconds} s."
