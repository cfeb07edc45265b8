"""Staff say that two records are one person: neither meets what the other has met, until they reverse it."""

from collections.abc import Callable
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import DatabaseError, transaction
from django.urls import reverse

from playtest.center.interventions.queries import session_attempts
from playtest.center.same_records import link_records, reverse_link
from playtest.center.schedule.bookings import book
from playtest.center.schedule.models import Slot
from playtest.center.schedule.queries import rows
from playtest.center.schedule.roster import plan
from playtest.center.schedule.roster_file import read_roster
from playtest.people.models import Participant, SamePerson, SamePersonReversal
from playtest.people.participants import find_participants, other_records
from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play.clock import now
from playtest.play.models import SessionEnd, Study
from playtest.play.sessions.attempts import open_next
from playtest.play.sessions.ends import end_session
from playtest.play.sessions.quota import candidates, environments_played, places_of, repeats
from playtest.play.sessions.services import create_session
from playtest.review.queries.attempts import why_excluded
from playtest.review.queries.exclusions import MET_BEFORE, excluded_by, exclusions
from playtest.review.services.withdrawal import withdraw
from tests import make
from tests.refusals import refused
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

LONG = [4, 3] * 16


def link(one: Participant, other: Participant) -> SamePerson:
    return link_records(one, other.label, "the desk knows", staff(Role.PROCTOR))


def take_back(made: SamePerson) -> SamePersonReversal:
    return reverse_link(made, "two sisters", staff(Role.PROCTOR))


def played(study: Study, person: Participant) -> None:
    session = make.session(study, person)
    make.play(session, LONG)
    end_session(session, SessionEnd.ENDED_BY_STAFF)


def slot_of(study: Study) -> Slot:
    begins = now() + timedelta(days=365)
    ends = begins + timedelta(hours=1)
    return Slot.objects.create(study=study, starts_at=begins, ends_at=ends, capacity=9, created_at=now())


@pytest.fixture
def people() -> list[Participant]:
    return [new_participant(f"R-{number}") for number in range(3)]


def test_what_one_record_met_all_records_of_the_person_have_met(people: list[Participant]) -> None:
    one, middle, last = people
    study = make.study("wk01")
    played(study, one)
    link(one, middle)
    link(last, middle)
    other_study = make.study(pool=[make.environment("wk01"), make.environment("ck01")])
    session = make.session(other_study, last)
    opened = open_next(session)
    assert opened is not None
    assert opened.environment.code == "ck01"
    assert (
        environments_played(one.pk)
        == environments_played(middle.pk)
        == environments_played(last.pk)
        == set(other_study.pool.values_list("pk", flat=True))
    )
    with refused("everything_met"):
        create_session(study, middle, None, another=True)


def test_the_schedule_and_the_roster_know_the_person_by_every_record(people: list[Participant]) -> None:
    one, other, _ = people
    study = make.study("wk01", people=9)
    played(study, one)
    slot = slot_of(study)
    book(slot, other, None)
    (row,) = rows(slot)
    assert (row.history.sessions, row.history.met, row.history.left, row.other_records) == (0, 0, 1, [])
    link(one, other)
    (row,) = rows(slot)
    assert (row.history.sessions, row.history.met, row.history.left, row.other_records) == (1, 1, 0, [one])
    with refused("already_booked"):
        book(slot, one, None)
    made = plan(read_roster("reference\nR-1\nR-2\n"), study, slot)
    assert [(one.number, one.code) for one in made.problems] == [(2, "everything_met")]


def test_a_roster_gives_no_second_seat_to_another_record_of_the_person(people: list[Participant]) -> None:
    one, other, _ = people
    study = make.study("wk01", people=9)
    slot = slot_of(study)
    link(one, other)
    book(slot, other, None)
    made = plan(read_roster("reference\nR-1\n"), study, slot)
    assert [(one.number, one.code) for one in made.problems] == [(2, "already_booked")]


def test_places_expect_nothing_of_a_person_who_has_met_the_pool(people: list[Participant]) -> None:
    one, other, _ = people
    study = make.study("wk01", people=5)
    played(study, one)
    make.session(study, other)
    before = places_of(study).needed
    link(one, other)
    assert (before, places_of(study).needed) == (3, 4)


@pytest.mark.services
def test_the_later_attempt_does_not_count_while_the_link_stands(people: list[Participant]) -> None:
    one, other, _ = people
    study = make.study("wk01", people=5)
    first = make.play(make.session(study, one), LONG)
    later = make.play(make.session(study, other), LONG)
    assert [candidate.counted for candidate in candidates(study)] == [2]
    made = link(other, one)
    assert {pk: repeat.before for pk, repeat in repeats().items()} == {later.pk: one.label}
    assert [candidate.counted for candidate in candidates(study)] == [1]
    assert exclusions().of(later.session_pk, later.pk, 0).reason == "met_before"  # type: ignore[union-attr]
    why = why_excluded(later, exclusions())
    assert why == excluded_by(why or "") == MET_BEFORE
    assert why_excluded(first, exclusions()) is None
    assert [vars(attempt)["earlier_record"] for attempt in session_attempts(later.session)] == [one.label]
    take_back(made)
    assert (exclusions().attempts, repeats()) == ({}, {})
    assert [candidate.counted for candidate in candidates(study)] == [2]


def simulated(one: Participant, other: Participant) -> str:
    return new_participant(simulated=True).label


def withdrawn(one: Participant, other: Participant) -> str:
    withdraw(other, None)
    return other.label


def linked_through_a_third(one: Participant, other: Participant) -> str:
    third = new_participant()
    link(one, third)
    link(third, other)
    return other.label


def of_several(one: Participant, other: Participant) -> str:
    new_participant("twin")
    new_participant("TWIN")
    return "twin"


REFUSED: dict[str, Callable[[Participant, Participant], str]] = {
    "participant_unknown": lambda one, other: "nobody",
    "same_record": lambda one, other: f" {one.label.lower()} ",
    "simulated_differs": simulated,
    "participant_withdrawn": withdrawn,
    "linked_already": linked_through_a_third,
    "person_ambiguous": of_several,
}


@pytest.mark.parametrize("code", REFUSED)
def test_a_link_is_refused_with_a_code_and_nothing_is_stored(code: str, people: list[Participant]) -> None:
    name = REFUSED[code](people[0], people[1])
    before = SamePerson.objects.count()
    with refused(code):
        link_records(people[0], name, "the desk knows", staff(Role.PROCTOR))
    page = reverse("center:same-person", args=[people[0].pk])
    answer = signed_in(Role.PROCTOR).post(page, {"name": name, "reason": "the desk knows"})
    assert (answer.status_code, f"<code>{code}</code>" in answer.text) == (409, True)
    assert SamePerson.objects.count() == before


def test_link_and_reversal_need_a_reason_and_a_link_is_reversed_once(people: list[Participant]) -> None:
    one, other, _ = people
    with refused("text_missing"):
        link_records(one, other.label, " ", staff(Role.PROCTOR))
    made = link(one, other)
    with refused("text_missing"):
        reverse_link(made, "", staff(Role.PROCTOR))
    take_back(made)
    with refused("reversed_already"):
        take_back(made)
    link(other, one)  # they were one person after all
    assert other_records([one.pk]) == {one.pk: [other]}


def test_the_pages_of_both_records_name_the_other_and_reverse_the_link(people: list[Participant]) -> None:
    one, other, _ = people
    study = make.study("wk01", people=5)
    sessions = [make.session(study, person) for person in (one, other)]
    for session in sessions:
        make.play(session, LONG)
    proctor = signed_in(Role.PROCTOR)
    page = reverse("center:same-person", args=[one.pk])
    assert proctor.post(page, {"name": "r-1", "reason": "the desk knows"})["Location"] == page
    for session, further in zip(sessions, (other, one), strict=True):
        text = proctor.get(reverse("center:session", args=[session.pk])).text
        assert f"<dt>Same person as</dt><dd>{further.label} " in text
        assert (f"met before as {one.label}" in text) == (session == sessions[1])
        text = proctor.get(reverse("center:same-person", args=[session.participant_id])).text
        assert f"is the same person as {further.label}" in text
        assert "the desk knows" in text
        assert "Reverse this link" in text
        assert not any(person.reference in text for person in people)
    elsewhere = reverse("center:same-person", args=[people[2].pk])
    values = {"link": SamePerson.objects.get().pk, "reason": "two sisters"}
    assert proctor.post(elsewhere, values).status_code == 404
    assert proctor.post(page, values)["Location"] == page
    text = proctor.get(page).text
    assert ("two sisters" in text, "Reverse this link" in text, "is the same person" in text) == (
        True, False, False,
    )  # fmt: skip


@pytest.mark.services
def test_a_withdrawal_deletes_the_links_of_the_record_and_names_the_others(people: list[Participant]) -> None:
    one, middle, last = people
    take_back(link(one, middle))
    link(one, middle)
    stays = link(last, new_participant())
    link(middle, last)
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        SamePersonReversal.objects.all()._raw_delete("default")
    proctor = signed_in(Role.LEAD)
    page = proctor.get(reverse("review:withdrawal"), {"participant": middle.label}).text
    assert one.label in page
    output = StringIO()
    call_command("withdraw", middle.label, confirm=middle.label, stdout=output)
    assert f"{middle.label} is the same person as " in output.getvalue()
    assert {one.label, last.label} <= set(output.getvalue().replace(",", " ").split())
    assert list(SamePerson.objects.all()) == [stays]
    assert not SamePersonReversal.objects.exists()
    assert middle.withdrawal.removed["people.SamePerson"] == 3
    assert find_participants(middle.label) == [middle]
