"""Everything that a study prescribes as one frozen value: canonical JSON, a digest, and plain words.

All numbers of the protocol (report 3.5.1, 4.2, 5.1) are written in `DEFAULT` and, for effort, in
`effort.thresholds`. Rules take the part that they need as an argument.

What a person is told before they agree, how long a session takes and what it pays, is here too (report 5.1):
the report blames a misread incentive for low effort, so the sentences say what earns the bonus and what not.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields, replace
from decimal import Decimal
from typing import Any

from playtest.rules import baseline, survey
from playtest.rules.acceptance import Acceptance
from playtest.rules.attempt import AttemptRule
from playtest.rules.disclosure import FEWEST_PEOPLE, LEAST_GROUP
from playtest.rules.document import added, digest_of, document_of, value_of
from playtest.rules.effort.thresholds import RULE_VERSION, Thresholds
from playtest.rules.errors import RuleError
from playtest.rules.evidence import RandomPlayer
from playtest.rules.limits import Away, Limits
from playtest.rules.pay import Pay, amount_text
from playtest.rules.survey import Kind, Question
from playtest.rules.survey_questions import QUESTIONS
from playtest.rules.tasks.success import TaskRule


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
    static tasks of the pool. `away`: what a lost connection costs. `undo_counts`: an undo (ACTION7) is one of
    the actions of a level, as in the toolkit; else counts, baselines and scores leave it out
    (`results.counted_actions`). Whether an attempt counts is judged by all actions. `smallest_group`: so many
    people share every answer that is shown or published of one (`rules.disclosure`). An adjustment of pay
    beyond `large_in_fees` times the fee needs a reason of who approves it, too.

    Raises RuleError consent_text_missing, question_name_taken, questions_too_many, environments_unordered,
    review_share_invalid, smallest_group_invalid, large_in_fees_invalid. Its parts raise their own codes.
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
    undo_counts: bool = added(default=True)
    smallest_group: int = added(default=FEWEST_PEOPLE)
    large_in_fees: int = added(default=2)

    def __post_init__(self) -> None:
        if not self.consent_text.strip():
            raise RuleError("consent_text_missing", "Write the text that participants agree to.")
        survey.check_survey(self.survey)
        if list(self.environments) != sorted(set(self.environments)):
            message = "Give each environment of the pool once, in alphabetical order."
            raise RuleError("environments_unordered", message)
        if not 0 <= self.review_share <= 1:
            raise RuleError("review_share_invalid", "Give the share to be reviewed as 0 to 100 percent.")
        if self.smallest_group < LEAST_GROUP:
            message = f"Give at least {LEAST_GROUP} people who share what is shown of answers."
            raise RuleError("smallest_group_invalid", message)
        if self.large_in_fees < 0:
            raise RuleError("large_in_fees_invalid", "Give a number of fees from 0 on.")

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
    effort=Effort(RULE_VERSION, Thresholds()),
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


def default_in(currency: str) -> Protocol:
    """That of a new study: the report pays in dollars, so nothing is promised in another currency."""
    return DEFAULT if currency == "USD" else replace(DEFAULT, pay=Pay(Decimal(0), Decimal(0)))


@dataclass(frozen=True, slots=True)
class Difference:
    """A field with different values in two protocols; "" where one does not have it."""

    field: str
    before: str
    after: str


def statements(protocol: Protocol, currency: str) -> dict[str, str]:
    """The values of all fields as text, by the label of the field; `currency` as for `amount_text`."""
    return dict(_statements(protocol, currency))


def differences(before: Protocol, after: Protocol, currency: str) -> list[Difference]:
    """The fields in which two protocols differ, in the order of `statements`."""
    old, new = statements(before, currency), statements(after, currency)
    names = dict.fromkeys([*old, *new])
    return [
        Difference(name, old.get(name, ""), new.get(name, ""))
        for name in names
        if old.get(name) != new.get(name)
    ]


def consent_warning(protocol: Protocol) -> str:
    """A sentence if the consent text states minutes, and none of them are those of a session; else ""."""
    stated = [int(number) for number in _MINUTES.findall(protocol.consent_text)]
    limit = protocol.limits.session_seconds / 60
    if not stated or limit in stated:
        return ""
    return f"The consent text says {stated[0]} minutes; the session limit is {limit:g}."


_MINUTES = re.compile(r"(?<![\d.,])(\d{1,6})[\s-]minutes?\b")


def _statements(protocol: Protocol, currency: str) -> Iterator[tuple[str, str]]:
    limits, attempt, player = protocol.limits, protocol.attempt, protocol.random_player
    yield "Soft limit", _time(limits.soft_seconds)
    yield "Hard limit", _time(limits.hard_seconds)
    yield "Session", _time(limits.session_seconds)
    yield "Connection away: the clock stands still for", f"at most {_time(protocol.away.seconds)} each time"
    yield "Connection away: so often in a session", f"at most {protocol.away.times:,} times"
    yield "Attempt: more actions than", f"{attempt.more_than_actions:,}"
    yield "Attempt: less time than", _time(attempt.less_than_seconds)
    yield "People per environment", f"{protocol.acceptance.people:,}"
    yield "People who must solve it", f"{protocol.acceptance.solvers:,}"
    yield "Random player: wins", f"at most 1 try in {player.one_win_in:,}"
    yield (
        "Random player: actions of a try",
        f"{player.budget_factor} times the fewest actions known to win the level",
    )
    yield "Fee per session", amount_text(protocol.pay.fee, currency)
    yield "Bonus per environment solved", amount_text(protocol.pay.bonus, currency)
    yield "Adjustment that needs a second reason", f"beyond {protocol.large_in_fees} times the fee"
    yield "Baseline rule", protocol.baseline_rule
    yield "Undo", "counted as an action" if protocol.undo_counts else "not counted as an action"
    yield "Effort rule set", protocol.effort.rule_version
    for each in fields(Thresholds):
        yield (
            f"Effort threshold {each.name}",
            str(document_of(getattr(protocol.effort.thresholds, each.name))),
        )
    yield "Unflagged sessions reviewed at random", f"{100 * protocol.review_share:g} %"
    yield "Consent text", protocol.consent_text
    yield "Survey", "\n".join(_questions(protocol))
    yield "People who share what is shown of answers", f"at least {protocol.smallest_group:,}"
    yield "After each environment", "two questions" if protocol.debrief else "no question"
    yield "Static tasks: tries per test input", f"{protocol.tasks.tries}"
    yield "Static tasks: submissions per test input", f"at most {protocol.tasks.most_submissions}"
    yield "Static tasks: answer to a submission", "right or wrong" if protocol.tasks.feedback else "none"
    yield "Static tasks: setting one aside", "yes" if protocol.tasks.going_back else "no"
    yield "Static tasks: a view counts", f"after more than {protocol.tasks.view_seconds} s"
    yield "Environments", ", ".join(protocol.environments)


def _questions(protocol: Protocol) -> Iterator[str]:
    for question in protocol.survey:
        yield f"{question.name}: {question.text} {_answers(question)}"


def _answers(question: Question) -> str:
    match question.kind:
        case Kind.NUMBER:
            return f"A whole number from {question.least} to {question.most}."
        case Kind.TEXT:
            return f"A text of at most {question.most} letters."
        case Kind.SCALE:
            low, high = question.ends
            least, most = f"{question.least} {low}".strip(), f"{question.most} {high}".strip()
            return f"A step from “{least}” to “{most}”."
        case _:
            between = " < " if question.ordered else " / "
            return between.join(f"{label} ({value})" for value, label in question.choices)


def _time(seconds: int) -> str:
    minutes, rest = divmod(seconds, 60)
    return f"{minutes}:{rest:02} min"


def incentive(protocol: Protocol, currency: str, say: Callable[[str], str] = str) -> list[str]:
    """The sentences about time and pay that hold for a session with this protocol; `say` translates them."""
    minutes, pay = f"{protocol.limits.session_seconds / 60:g}", protocol.pay
    fee, bonus = amount_text(pay.fee, currency), amount_text(pay.bonus, currency)
    sentences = [say("You play small computer games for up to {minutes} minutes.")]
    if pay.fee:
        sentences.append(say("You are paid {fee} for taking part, however many games you solve."))
    if pay.bonus:
        sentences += [
            say("Each game that you solve completely, with all its levels, earns {bonus} more."),
            say("Trying many games without solving them earns nothing more. Take your time with each."),
        ]
    sentences.append(say("You may leave a game, or stop altogether, at any time."))
    return [sentence.format(minutes=minutes, fee=fee, bonus=bonus) for sentence in sentences]
