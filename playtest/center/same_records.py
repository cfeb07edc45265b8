"""Two records of one person: who is linked, what that means for attempts, and the page that links them."""

from dataclasses import dataclass

from django.contrib import messages
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from playtest.center.interventions.services import MOST_CHARACTERS, checked_text
from playtest.people.access import StaffRequest, requires
from playtest.people.models import Participant, SamePerson, SamePersonReversal, Staff, Withdrawal
from playtest.people.participants import find_participants, other_records, records_of
from playtest.people.roles import Right
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Attempt
from playtest.play.sessions.quota import repeats
from playtest.rules.text import whole_number


@dataclass(frozen=True)
class RepeatedAttempt:
    """An attempt that does not count, because its person had met the environment as `before`."""

    attempt: Attempt
    before: str


def links_of(person: Participant) -> QuerySet[SamePerson]:
    """Every link of any record of this person, also those that were reversed, newest first."""
    records = records_of([person.pk])[person.pk]
    links = SamePerson.objects.select_related("one", "other", "staff", "reversal__staff")
    return links.filter(Q(one__in=records) | Q(other__in=records)).order_by("-pk")


def repeated_attempts(person: Participant) -> list[RepeatedAttempt]:
    """The attempts under any record of this person on environments that another one had met before."""
    found = repeats()
    attempts = Attempt.objects.filter(pk__in=found, participant__in=records_of([person.pk])[person.pk])
    return [
        RepeatedAttempt(one, found[one.pk].before)
        for one in attempts.select_related("environment", "participant").order_by("assigned_at", "pk")
    ]


def link_records(person: Participant, name: str, reason: str, staff: Staff) -> SamePerson:
    """Links a record with the one of this pseudonym, reference or address; no attempt is changed.

    Refusal: text_missing, text_too_long, text_not_one_line, participant_unknown, person_ambiguous,
    same_record, linked_already, simulated_differs, participant_withdrawn.
    """
    reason = checked_text(reason, required=True)
    other = _named(name)
    if other == person:
        raise Refusal("same_record", f"{person} is this record itself. Enter the person's other record.")
    if other.simulated != person.simulated:
        raise Refusal("simulated_differs", "One record is of a simulated person and the other is not.")
    with transaction.atomic():
        pair = [person.pk, other.pk]
        list(Participant.objects.select_for_update().filter(pk__in=pair).order_by("pk"))
        if Withdrawal.objects.filter(participant__in=pair).exists():
            raise Refusal(
                "participant_withdrawn", "One of the two withdrew their consent: nothing of it is left."
            )
        if other.pk in records_of([person.pk])[person.pk]:
            raise Refusal("linked_already", f"{person} and {other} are known to be one person already.")
        return SamePerson.objects.create(one=person, other=other, staff=staff, linked_at=now(), reason=reason)


def reverse_link(link: SamePerson, reason: str, staff: Staff) -> SamePersonReversal:
    """Reverses a link. What did not count because of it counts again.

    Refusal: text_missing, text_too_long, text_not_one_line, reversed_already.
    """
    reason = checked_text(reason, required=True)
    with transaction.atomic():
        link = SamePerson.objects.select_for_update(of=("self",)).get(pk=link.pk)
        if SamePersonReversal.objects.filter(link=link).exists():
            raise Refusal("reversed_already", "Someone has reversed this meanwhile.")
        return SamePersonReversal.objects.create(link=link, staff=staff, reversed_at=now(), reason=reason)


def _named(name: str) -> Participant:
    found = find_participants(name)
    if not found:
        raise Refusal(
            "participant_unknown", "No participant has this pseudonym or reference. Check the spelling."
        )
    if len(found) > 1:
        raise Refusal("person_ambiguous", "Several people match. Enter the pseudonym.")
    return found[0]


@require_http_methods(["GET", "HEAD", "POST"])
@requires(Right.RUN_SESSIONS)
def same_person(request: StaffRequest, pk: int) -> HttpResponse:
    """The records that are of the same person as this one; links a further one or reverses a link."""
    person = get_object_or_404(Participant, pk=pk)
    error = None
    if request.method == "POST":
        try:
            messages.success(request, _change(request, person))
            return redirect("center:same-person", pk)
        except Refusal as refusal:
            error = refusal
    context = {
        "person": person,
        "others": other_records([pk])[pk],
        "links": links_of(person),
        "repeated": repeated_attempts(person),
        "sessions": person.sessions.select_related("study").order_by("-pk"),
        "error": error,
        "name": request.POST.get("name", ""),
        "reason": request.POST.get("reason", "") if "name" in request.POST else "",
        "most_characters": MOST_CHARACTERS,
    }
    return render(request, "center/same-person.html", context, status=error.status if error else 200)


def _change(request: StaffRequest, person: Participant) -> str:
    """Reverses the link that the form names, or makes a new one; says what was done."""
    reason = request.POST.get("reason", "")
    if "link" in request.POST:
        pk = whole_number(request.POST["link"])
        link = get_object_or_404(links_of(person), pk=pk)
        reverse_link(link, reason, request.user)
        return f"{link.one} and {link.other} are two people again."
    link = link_records(person, request.POST.get("name", ""), reason, request.user)
    return f"{link.one} and {link.other} are one person from now on."
