"""The facts of a report about how the study was conducted, and who reviewed its sessions."""

from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import Decimal
from statistics import median_high, median_low

from django.urls import reverse

from playtest.insight.pages.study.order import met_last
from playtest.insight.paper.report.gathered import Gathered, percent, spread
from playtest.insight.tables.protocols import rule_text
from playtest.play.models import Debrief
from playtest.review.queries.agreement import CLASSES, review_report
from playtest.review.queries.decisions import disclosed
from playtest.rules.agreement import FORMULA, Agreement
from playtest.rules.debrief import HOW_HARD, STEPS
from playtest.rules.pay import amount_text
from playtest.rules.reporting.document import Fact, Table
from playtest.rules.text import counted


def reviews(found: Gathered) -> Iterator[Fact | Table]:
    """How the study's sessions were reviewed, without verdicts that wait for a second one."""
    report = review_report(found.study)
    link = reverse("review:agreement") + f"#study-{found.study.pk}"
    yield Fact(
        "Reviewers",
        "Two judge a session, neither of whom sees the other's verdict, where a flag is strong, a level was"
        " completed or no flags open a review. A third settles where they differ.",
    )
    yield Fact("Sessions flagged for review", percent(report.flagged.sessions, report.ended), link)
    yield Fact(
        "Unflagged sessions drawn at random for a review",
        f"{percent(report.drawn.sessions, report.unflagged)}; decided: {report.drawn.decided:,}",
    )
    yield Fact("Sessions that wait for another reviewer", f"{report.second + report.third:,}")
    yield Fact("Sessions with two independent verdicts", counted(report.agreement.pairs, "session"), link)
    if (agreed := report.agreement.agreed) is not None:
        yield Fact("The same verdict", percent(agreed.count, agreed.people))
        yield Fact(FORMULA, _kappa(report.agreement))
        rows = tuple(
            (first, *(f"{report.pairs[first, second]:,}" for second in CLASSES)) for first in CLASSES
        )
        heads = ("First verdict", *(f"second: {each}" for each in CLASSES))
        yield Table("Sessions by the first and the second verdict.", heads, rows)


def _kappa(found: Agreement) -> str:
    if found.kappa is None:
        return found.remark
    if found.low is None or found.high is None:
        return f"{found.kappa:.2f}. {found.remark}"
    return f"{found.kappa:.2f} (95 % interval {found.low:.2f} to {found.high:.2f})"


type Found = Iterator[Fact | Table]


def nothing(_: Gathered) -> Found:
    """Only a person can answer."""
    yield from ()


def staff_excluded(_: Gathered) -> Found:
    yield Fact("Plays by staff", "They are recorded apart and are in no result.")


def exposure(found: Gathered) -> Found:
    reasons = dict(found.attempts.excluded)
    met = sum(number for why, number in reasons.items() if why.startswith("not a first attempt"))
    yield Fact("Attempts", "Nobody meets an environment twice: one attempt for each person, ever.")
    yield Fact("Left out because the person had met it under another record", counted(met, "attempt"))


def training(found: Gathered) -> Found:
    done = sum(session.tutorial_done_at is not None for session in found.sessions)
    yield Fact("Tutorial of the controls", f"finished in {counted(done, 'session')}")


def pay(found: Gathered) -> Found:
    terms, total, currency = found.protocol.pay, found.pay, found.pay.study.currency
    link = reverse("center:pay")
    yield Fact("Fee for a session", amount_text(terms.fee, currency), link)
    yield Fact("Bonus for each environment solved", amount_text(terms.bonus, currency))
    yield Fact("Equal for all", "The protocol prescribes the same for everybody who follows its version.")
    if total.session_hours:
        hourly = total.balance.owed / Decimal(total.session_hours)
        yield Fact("For an hour in the room, all together", amount_text(hourly, currency))


def session(found: Gathered) -> Found:
    met = found.results.ever_begun.group_by("session").len()["len"].to_list()
    yield Fact("Environments in a session", spread(met))
    yield Fact(
        "Order",
        "Drawn for each person: the environment that fewest people have met comes first, then the one that"
        " fewest have met at this position.",
    )
    last = ", ".join(one.environment for one in met_last(found.results))
    yield Fact("Environments mostly met last", last or "none")


def quality(found: Gathered) -> Found:
    flow, rule = found.attempts, found.protocol.effort
    yield Fact("What counts as an attempt", rule_text(found.results.begun, found.results.scope))
    yield Fact("Effort rules", rule.rule_version, reverse("review:queue"))
    decided = disclosed().filter(session__study=found.study, part_of=None)
    yield Fact("Decisions of reviewers", counted(decided.count(), "decision"), reverse("review:decisions"))
    yield from reviews(found)
    excluded = sum(number for _, number in flow.excluded)
    yield Fact("Attempts excluded as a whole", percent(excluded, flow.begun))
    yield Fact("Attempts excluded in part, from a moment on", percent(flow.in_part, flow.begun))
    rows = [("begun", flow.begun)]
    rows += [(f"excluded: {why}", -number) for why, number in flow.excluded]
    rows += [
        ("still open", -flow.still_open),
        ("the environment failed", -flow.faults),
        (found.said_of_short, -flow.too_short),
        ("too long", -flow.too_long),
        ("too few actions before an exclusion from a moment on", -flow.cut),
        ("counted up to an exclusion from a moment on", flow.counted_in_part),
        ("counted as a whole", flow.counted - flow.counted_in_part),
    ]
    shown = tuple((name, f"{number:,}") for name, number in rows if number)
    yield Table("What became of the attempts; the parts add up.", ("Attempts", "Number"), shown)


def interface(found: Gathered) -> Found:
    if found.results.has_levels:
        yield Fact(
            "People", "The frames on a screen; only the controls that an environment offers are shown."
        )
        yield Fact("AI", "The same frames and actions as numbers, by the API.")
    if found.results.has_tasks:
        yield Fact("People at static tasks", "The pairs on a screen, beside an editor of the output grid.")
        yield Fact("AI at static tasks", "The same grids as numbers, in a file; answers are a file too.")


def instructions(_: Gathered) -> Found:
    yield Fact("People", "No instructions about any environment.")


def tools(_: Gathered) -> Found:
    yield Fact("People", "Stations in a room with a proctor; leaving the page is recorded.")


def explanations(found: Gathered) -> Found:
    asked = found.protocol.debrief
    said = Debrief.objects.filter(attempt__in=found.results.begun["attempt"].to_list())
    steps = [step for step in said.values_list("difficulty", flat=True) if step is not None]
    written = said.exclude(about="").count()
    yield Fact("After each environment", "two questions that may be skipped" if asked else "nothing is asked")
    yield Fact("Descriptions of what it was about", f"{written:,}")
    if steps:
        counts = Counter(steps)
        rows = tuple((label, f"{counts[step]:,}") for step, label in STEPS.items())
        yield Fact(HOW_HARD, f"median {_median_step(steps)} of {counted(len(steps), 'answer')}")
        yield Table("How hard people found an environment.", ("Answer", "Attempts"), rows)


def _median_step(steps: Sequence[int]) -> str:
    """The answer in the middle; where two different ones are, both, because steps have no mean."""
    low, high = STEPS[median_low(steps)], STEPS[median_high(steps)]
    return low if low == high else f"between {low} and {high}"
