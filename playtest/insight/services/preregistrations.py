"""Registering what a study plans, for good: triggers refuse every change (`play.journal.triggers`)."""

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.db import transaction

from playtest.insight.models import Preregistration, RegistryLink
from playtest.people.models import Staff
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Study
from playtest.play.sessions.studies import freeze_protocol
from playtest.rules.document import digest_of
from playtest.rules.preregistration import Registered

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
    (`would_register`). RuleError as `Registered`; Refusal: rehearsal_not_registered, registered_already,
    plan_changed.
    """
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
