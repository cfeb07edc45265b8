"""Writes preregistrations, answers for a report and reports of a release. Triggers refuse changes."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.db import transaction

from playtest.insight.compute.results import bring_up_to_date
from playtest.insight.models import Preregistration, RegistryLink, Release, ReleasedReport, ReportAnswer
from playtest.insight.paper.report.build import report_of
from playtest.insight.scope import Scope
from playtest.people.models import Staff
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Study
from playtest.play.sessions.locks import locked_study
from playtest.play.sessions.studies import freeze_protocol
from playtest.rules.document import digest_of
from playtest.rules.preregistration import Registered
from playtest.rules.reporting.document import LONGEST_ANSWER, item_of
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
        locked_study(study.pk)
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


_ADDRESS = URLValidator(schemes=["http", "https"])
_LONGEST_ADDRESS = 500


def register(
    study: Study,
    staff: Staff | None,
    *,
    people: int | None,
    analysis: str,
    plan: Mapping[str, Any] | None = None,
    seen: str | None = None,
) -> Preregistration:
    """Freezes the newest protocol and stores it with the current versions of the pool, under the next number.

    `plan` is as in `Registered`; `seen` is the digest of what the page showed of protocol and pool
    (`would_register`). RuleError as `Registered`; Refusal: outside_not_registered,
    rehearsal_not_registered, registered_already, plan_changed.
    """
    if study.is_outside:
        raise Refusal("outside_not_registered", "Nothing is planned for data that come from elsewhere.")
    if study.rehearsal:
        raise Refusal("rehearsal_not_registered", "A rehearsal has no results to register a plan for.")
    with transaction.atomic():
        frozen = freeze_protocol(study)
        registered = would_register(study, people=people, analysis=analysis, plan=plan)
        digest = digest_of(registered.document)
        if seen is not None and seen != digest_of(would_register(study).document):
            message = "The protocol or the pool has changed since this page was opened. Read it again."
            raise Refusal("plan_changed", message)
        last = study.preregistrations.order_by("-number").first()
        if last is not None and last.digest == digest:
            raise Refusal("registered_already", f"Preregistration {last.number} says exactly this.")
        assert registered.protocol_number == frozen.number
        return Preregistration.objects.create(
            study=study,
            number=last.number + 1 if last else 1,
            document=registered.document,
            digest=digest,
            registered_at=now(),
            registered_by=staff,
        )


def would_register(
    study: Study,
    *,
    people: int | None = None,
    analysis: str = "",
    plan: Mapping[str, Any] | None = None,
) -> Registered:
    """What would be registered now. RuleError as `Registered`."""
    newest = study.newest_version
    pool = study.pool.filter(current__isnull=False)
    return Registered(
        study=study.name,
        protocol_number=newest.number,
        protocol=newest.value,
        versions=dict(pool.values_list("code", "current__digest")),
        people=people,
        analysis=analysis.replace("\r\n", "\n").strip(),
        plan=plan,
    )


def deposit(preregistration: Preregistration, staff: Staff | None, address: str) -> RegistryLink:
    """Stores where it was deposited. Refusal: address_invalid."""
    address = address.strip()
    try:
        _ADDRESS(address)
    except ValidationError as error:
        raise Refusal("address_invalid", "Give a whole address that begins with https://.") from error
    if len(address) > _LONGEST_ADDRESS:
        raise Refusal("address_invalid", f"An address has at most {_LONGEST_ADDRESS} characters.")
    return RegistryLink.objects.create(
        preregistration=preregistration, address=address, added_at=now(), added_by=staff
    )
