"""Withdrawal of consent: finds a person, deletes all their data and records that it was deleted."""

from collections import Counter
from pathlib import Path
from typing import Any

from django.db import models, transaction
from django.db.models import Q, QuerySet

from playtest.center.models import Booking, PaidSession, Void, VoidReversal
from playtest.center.pay.accounts import left_to_pay, unposted
from playtest.center.pay.payees import store_payee
from playtest.center.pay.services import post_session
from playtest.jobs import lifecycle
from playtest.people.models import (
    Consent,
    Contact,
    Participant,
    SamePerson,
    SamePersonReversal,
    Staff,
    Survey,
    Withdrawal,
)
from playtest.people.participants import find_participants, other_records
from playtest.people.record.links import delete_at_once, reason, withdrawal_reason
from playtest.people.retention import overwrite_deleted_rows
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Attempt, Debrief, Entry, Event, OutsideAttempt, Session
from playtest.review.models import CollectionItem, Comment, Decision, Export, ExportKind, Flag
from playtest.review.services import withdrawal_list
from playtest.review.services.export_files import folder


def withdraw(person: Participant, staff: Staff | None, *, in_session: bool = False) -> Withdrawal:
    """Deletes a person's sessions, play, answers and consent, and everything derived from them.

    The participant stays as a pseudonym without data; nobody can play under it again. The numbers of the
    attempts stay with the withdrawal, because signed days name them. Amounts of pay stay, without the link to
    the session (`center.pay.models`), and until they are paid who is to be paid. Links with other records of
    the person are deleted, and those records stay. Files are deleted once the transaction is committed.

    With `in_session` an open session is no reason to refuse. Once committed, the withdrawal is added to the
    list that no backup holds. Refusal: already_withdrawn, session_open, withdrawals_unwritable.
    """
    withdrawal_list.check_writable()
    for session in person.sessions.filter(unposted()):
        post_session(session)
    with transaction.atomic():
        person = Participant.objects.select_for_update().get(pk=person.pk)
        _check(person, in_session=in_session)
        store_payee(person)
        withdrawal = Withdrawal.objects.create(participant=person, staff=staff, started_at=now())
        overwrite_deleted_rows()
        withdrawal.attempts = list(person.attempts.order_by("pk").values_list("pk", flat=True))
        with reason(withdrawal_reason(withdrawal.pk)):
            withdrawal.removed = _delete_everything(person)
        person.reference = ""
        person.save(update_fields=["reference"])
        withdrawal.finished_at = now()
        withdrawal.save(update_fields=["removed", "attempts", "finished_at"])
        transaction.on_commit(withdrawal_list.keep_list)
    return withdrawal


def erase_again(*others: Path) -> int:
    """After a restore: deletes who had withdrawn by the list, and by other lists; how many people."""
    withdrawal_list.keep_list(*others)
    people = withdrawal_list.returned()
    for person in people:
        withdraw(person, None, in_session=True)
    return len(people)


def _check(person: Participant, *, in_session: bool) -> None:
    if Withdrawal.objects.filter(participant=person).exists():
        raise Refusal("already_withdrawn", f"{person.label} has withdrawn already: nothing is left.")
    if not in_session and person.sessions.filter(checked_in_at__isnull=False, ended_at__isnull=True).exists():
        raise Refusal(
            "session_open", f"{person.label} is in a session. End the session first, then withdraw."
        )


def _delete_everything(person: Participant) -> dict[str, int]:
    sessions = list(person.sessions.values_list("pk", flat=True))
    attempts = list(person.attempts.values_list("pk", flat=True))
    removed: Counter[str] = Counter()
    _delete_exports(person, sessions, attempts, removed)
    of_attempts: tuple[type[models.Model], ...] = (Comment, CollectionItem)
    for model in of_attempts:
        _delete(model._default_manager.filter(attempt__in=attempts), removed)
    _delete(Flag.objects.filter(session__in=sessions), removed)
    _delete_at_once(Decision.objects.filter(session__in=sessions), removed)
    _delete_at_once(VoidReversal.objects.filter(void__attempt__in=attempts), removed)
    _delete_at_once(Void.objects.filter(attempt__in=attempts), removed)
    _delete_at_once(Entry.objects.filter(attempt__in=attempts), removed)
    _delete_at_once(Event.objects.filter(session__in=sessions), removed)
    _delete(Debrief.objects.filter(attempt__in=attempts), removed)
    _delete(OutsideAttempt.objects.filter(attempt__in=attempts), removed)
    _delete(Attempt.objects.filter(pk__in=attempts), removed)
    _delete_at_once(PaidSession.objects.filter(session__in=sessions), removed)
    _delete(Booking.objects.filter(participant=person), removed)  # with the messages about them
    _delete(Session.objects.filter(pk__in=sessions), removed)
    _delete(Contact.objects.filter(participant=person), removed)
    _delete(Survey.objects.filter(participant=person), removed)
    _delete(Consent.objects.filter(participant=person), removed)
    links = SamePerson.objects.filter(Q(one=person) | Q(other=person))
    _delete_at_once(SamePersonReversal.objects.filter(link__in=links), removed)
    _delete_at_once(links, removed)
    return dict(sorted(removed.items()))


def _delete_exports(
    person: Participant, sessions: list[int], attempts: list[int], removed: Counter[str]
) -> None:
    """Films of the person, their data, and every file with the data of a study in which they took part."""
    films = Export.objects.filter(attempt__in=attempts)
    data = Export.objects.filter(study__sessions__in=sessions).distinct()
    own = Export.objects.filter(kind=ExportKind.PERSON, options__participant=person.pk)
    data_ids = [*data.values_list("pk", flat=True), *own.values_list("pk", flat=True)]
    concerned = Export.objects.filter(Q(pk__in=data_ids) | Q(attempt__in=attempts))
    lifecycle.cancel(concerned)  # first: then no worker finishes one, and every file is known
    files = [name for name in concerned.values_list("file", flat=True) if name]
    transaction.on_commit(lambda: _unlink(files))
    Export.objects.filter(pk__in=data_ids).update(file="")
    removed["files"] = len(files)
    _delete(films, removed)


def _unlink(names: list[str]) -> None:
    for name in names:
        (folder() / name).unlink(missing_ok=True)


def _delete(rows: models.QuerySet[Any], removed: Counter[str]) -> None:
    """Deletes rows with the rows that refer to them; ProtectedError where those must be deleted first."""
    removed.update({name: count for name, count in rows.delete()[1].items() if count})


def _delete_at_once(rows: models.QuerySet[Any], removed: Counter[str]) -> None:
    if count := delete_at_once(rows):
        removed[rows.model._meta.label] += count


def find_participant(name: str) -> Participant | None:
    """The participant with this pseudonym or reference, whatever its form; None if several have it."""
    found = find_participants(name) or Participant.objects.filter(label__iexact=name.strip())[:2]
    return found[0] if len(found) == 1 else None


def data_counts(person: Participant) -> dict[str, int]:
    """The number of rows that would be deleted, by kind."""
    return {
        "sessions": person.sessions.count(),
        "attempts": person.attempts.count(),
        "actions": Entry.objects.filter(attempt__participant=person, seq__gt=0).count(),
        "surveys": person.surveys.count(),
        "consents": person.consents.count(),
    }


def other_records_sentence(person: Participant) -> str:
    """That the person has further records, which are not deleted with this one; empty if none is known."""
    others = [one.label for one in other_records([person.pk])[person.pk]]
    if not others:
        return ""
    return (
        f"{person.label} is the same person as {' and '.join(others)}, whose data stays. Ask whether it is to"
        " be deleted, too. Deleting removes the links: nothing says afterwards that these were one person."
    )


def sentences_before(person: Participant) -> list[str]:
    """What staff should know before they delete the person's data: what is owed, and further records."""
    return [one for one in (left_to_pay(person), other_records_sentence(person)) if one]


def withdrawals() -> QuerySet[Withdrawal]:
    """Every withdrawal, newest first."""
    return Withdrawal.objects.select_related("participant__payee", "staff").order_by("-started_at")
