"""Answers for a study's report, and reports stored with a release. Triggers refuse every change of either."""

from collections.abc import Iterable

from django.db import transaction

from playtest.insight.models import Release, ReleasedReport, ReportAnswer
from playtest.insight.report.build import report_of
from playtest.insight.scope import Scope
from playtest.insight.services.results import bring_up_to_date
from playtest.people.models import Staff
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Study
from playtest.rules.reporting import LONGEST_ANSWER, item_of
from playtest.rules.text import storable


def answer_item(study: Study, number: str, text: str, staff: Staff | None, *, based_on: int) -> ReportAnswer:
    """Stores the next version of an answer; an empty text takes it back.

    `based_on` is the version that was read, 0 for none. RuleError as `rules.reporting.item_of`; Refusal:
    answer_too_long, answer_malformed, answer_changed, answer_unchanged.
    """
    item, text = item_of(number), text.replace("\r\n", "\n").strip()
    if len(text) > LONGEST_ANSWER:
        message = f"An answer has at most {LONGEST_ANSWER:,} letters: shorten it."
        raise Refusal("answer_too_long", message, status=400)
    if not storable(text):
        raise Refusal("answer_malformed", "This text cannot be stored: write it again.", status=400)
    with transaction.atomic():
        Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        last = study.report_answers.filter(item=item.number).order_by("-version").first()
        if (last.version if last else 0) != based_on:
            message = "Somebody answered this after you opened the page. Read it, then write yours."
            raise Refusal("answer_changed", message)
        if text == (last.text if last else ""):
            raise Refusal("answer_unchanged", "The answer says this already.")
        return ReportAnswer.objects.create(
            study=study,
            item=item.number,
            version=based_on + 1,
            text=text,
            answered_at=now(),
            answered_by=staff,
        )


def bring_studies_up_to_date(studies: Iterable[Study]) -> None:
    """Brings the results up to date that the reports of these studies are made of."""
    for study in studies:
        bring_up_to_date(Scope(study).attempts)


def attach_reports(release: Release, studies: Iterable[Study]) -> None:
    """Stores the reports of these studies with a release, within its transaction."""
    for study in studies:
        report = report_of(study)
        ReleasedReport.objects.create(
            release=release, study=study, document=report.document, digest=report.digest
        )
