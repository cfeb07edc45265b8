"""Everything that a study prescribes, as one frozen value with canonical JSON and a digest.

All numbers of the protocol (report 3.5.1, 4.2, 5.1) are written in `DEFAULT` and, for effort, in
`effort.thresholds`. Rules take the part that they need as an argument.
"""

from dataclasses import dataclass, field, fields
from decimal import Decimal
from typing import Any

from playtest.rules import baseline, effort, survey
from playtest.rules.acceptance import Acceptance
from playtest.rules.attempt import AttemptRule
from playtest.rules.document import added, digest_of, document_of, value_of
from playtest.rules.effort import Thresholds
from playtest.rules.errors import RuleError
from playtest.rules.evidence import RandomPlayer
from playtest.rules.limits import Away, Limits
from playtest.rules.pay import Pay
from playtest.rules.survey import Question
from playtest.rules.survey_questions import QUESTIONS
from playtest.rules.tasks.procedure import TaskRule


@dataclass(frozen=True, slots=True)
class Effort:
    """The rule set that looks for low effort, by its version, and the thresholds that it uses."""

    rule_version: str
    thresholds: Thresholds

    @property
    def changes(self) -> dict[str, float]:
        """The thresholds that differ from the default ones, by name."""
        default = Thresholds()
        values = {each.name: getattr(self.thresholds, each.name) for each in fields(Thresholds)}
        return {name: value for name, value in values.items() if value != getattr(default, name)}


@dataclass(frozen=True, slots=True)
class Protocol:
    """What a study prescribes. Equal values have equal digests, and different values different ones.

    `environments` are the codes of the study's pool. `baseline_rule` names how a baseline is computed.
    `debrief`: people are asked two questions after each environment (`rules.debrief`). `review_share` (0..1)
    of the sessions that no flags open is reviewed all the same (`rules.agreement`). `tasks` holds for the
    static tasks of the pool. `away`: what a lost connection costs.

    Raises RuleError consent_text_missing, question_name_taken, questions_too_many, environments_unordered,
    review_share_invalid. Its parts raise their own codes.
    """

    limits: Limits
    attempt: AttemptRule
    acceptance: Acceptance
    random_player: RandomPlayer
    pay: Pay
    baseline_rule: str
    effort: Effort
    consent_text: str
    survey: tuple[Question, ...]
    environments: tuple[str, ...] = field(default=())
    debrief: bool = added(default=False)
    review_share: float = added(default=0.0)
    tasks: TaskRule = added(default=TaskRule())  # noqa: RUF009 - it is frozen
    away: Away = added(default=Away())  # noqa: RUF009

    def __post_init__(self) -> None:
        if not self.consent_text.strip():
            raise RuleError("consent_text_missing", "Write the text that participants agree to.")
        survey.check_survey(self.survey)
        if list(self.environments) != sorted(set(self.environments)):
            message = "Give each environment of the pool once, in alphabetical order."
            raise RuleError("environments_unordered", message)
        if not 0 <= self.review_share <= 1:
            raise RuleError("review_share_invalid", "Give the share to be reviewed as 0 to 100 percent.")

    @property
    def document(self) -> dict[str, Any]:
        """The value in JSON types."""
        document: dict[str, Any] = document_of(self)
        return document

    @property
    def digest(self) -> str:
        """SHA-256 of the canonical JSON in UTF-8, as 64 hexadecimal digits (`document.canonical`)."""
        return digest_of(self.document)

    @classmethod
    def of(cls, document: object) -> "Protocol":
        """The protocol that parsed JSON describes, whatever the order of names.

        Raises RuleError protocol_malformed, and what the values themselves raise.
        """
        return value_of(cls, document)


DEFAULT = Protocol(
    limits=Limits(soft_seconds=20 * 60, hard_seconds=30 * 60, session_seconds=90 * 60),
    attempt=AttemptRule(more_than_actions=30, less_than_seconds=30 * 60),
    acceptance=Acceptance(people=10, solvers=2),
    random_player=RandomPlayer(one_win_in=10_000, budget_factor=5),
    pay=Pay(fee=Decimal("115.00"), bonus=Decimal("5.00")),
    baseline_rule=baseline.RULE_VERSION,
    effort=Effort(effort.RULE_VERSION, Thresholds()),
    consent_text=(
        "You will play a series of short, unfamiliar computer games."
        " Nobody will tell you the rules: finding out is part of it.\n\n"
        "We record each key press and click in the games and when you made it, and your answers to a few"
        " optional questions. We do not record your name, your face or your voice with them.\n\n"
        "Taking part is voluntary. You can stop at any time and you can ask us later to delete what we"
        " recorded."
    ),
    survey=QUESTIONS,
    debrief=True,
    review_share=0.1,
    away=Away(seconds=5 * 60, times=20),
)
"""The protocol of the report: what a new study has, and what holds where no study is looked at."""
