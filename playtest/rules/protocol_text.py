"""A protocol in plain words: its fields, how two versions differ, and if its text contradicts it.

What a person is told before they agree, how long a session takes and what it pays, is here too (report 5.1):
the report blames a misread incentive for low effort, so the sentences say what earns the bonus and what not.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields

from playtest.rules.document import document_of
from playtest.rules.effort import Thresholds
from playtest.rules.pay import amount_text
from playtest.rules.protocol import Protocol
from playtest.rules.survey import Kind, Question


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
    yield "Baseline rule", protocol.baseline_rule
    yield "Effort rule set", protocol.effort.rule_version
    for each in fields(Thresholds):
        yield (
            f"Effort threshold {each.name}",
            str(document_of(getattr(protocol.effort.thresholds, each.name))),
        )
    yield "Unflagged sessions reviewed at random", f"{100 * protocol.review_share:g} %"
    yield "Consent text", protocol.consent_text
    yield "Survey", "\n".join(_questions(protocol))
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
            return " / ".join(f"{label} ({value})" for value, label in question.choices)


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
