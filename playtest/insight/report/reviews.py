"""Facts about reviewers: how many judged, which unflagged sessions were drawn, how far verdicts agree."""

from collections.abc import Iterator

from django.urls import reverse

from playtest.insight.report.gathered import Gathered
from playtest.insight.report.wording import count, percent
from playtest.review.queries.agreement import CLASSES, review_report
from playtest.rules.agreement import FORMULA, Agreement
from playtest.rules.reporting import Fact, Table


def reviews(found: Gathered) -> Iterator[Fact | Table]:
    """How the study's sessions were reviewed, without verdicts that wait for a second one."""
    report = review_report(found.study)
    link = reverse("review:agreement") + f"#study-{found.study.pk}"
    yield Fact(
        "Reviewers",
        "Two judge a session, neither of whom sees the other's verdict, where a flag is strong, a level was"
        " completed or no flags open a review. A third settles where they differ.",
    )
    yield Fact(
        "Unflagged sessions drawn at random for a review",
        f"{percent(report.drawn.sessions, report.unflagged)}; decided: {report.drawn.decided:,}",
    )
    yield Fact("Sessions that wait for another reviewer", f"{report.second + report.third:,}")
    yield Fact("Sessions with two independent verdicts", count(report.agreement.pairs, "session"), link)
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
