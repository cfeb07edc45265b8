"""Pages that create, follow and end sessions."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from playtest.people.models import Participant
from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play.errors import Refusal
from playtest.play.models import Event, EventKind, Session, SessionEnd
from playtest.play.sessions.ends import end_session
from playtest.play.sessions.services import check_in, create_session
from playtest.rules.attempt import Outcome
from tests import make
from tests.refusals import refused
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

NEW = "/staff/sessions/new/"


def create(client: Client, **changes: Any) -> str:
    """Sends the form with these changes and returns the page."""
    study = Session.objects.first().study if Session.objects.exists() else make.study()  # type: ignore[union-attr]
    answer = client.post(NEW, {"study": study.pk, "new": "on", "name": ""} | changes)
    return answer.content.decode()


def shown_code(page: str) -> str:
    found = re.search(r"<output[^>]*>([^<]+)</output>", page)
    assert found, "no code on the page"
    return found[1]


def token_in(answer: Any) -> str:
    """The token of the page's form."""
    found = re.search(r'name="form_token" value="([^"]+)"', answer.content.decode())
    assert found, "no token on the page"
    return found[1]


def page_of(client: Client, session: Session) -> str:
    return client.get(reverse("center:session", args=[session.pk])).content.decode()


def test_the_empty_list_explains_how_to_start(proctor: Client) -> None:
    assert "There are no sessions yet" in proctor.get("/staff/sessions/").content.decode()


def test_the_form_is_hidden_without_an_open_study(proctor: Client) -> None:
    make.study(open=False)
    assert "No study is open" in proctor.get(NEW).content.decode()


def test_a_new_session_shows_a_code_that_works_once_and_is_stored_nowhere(proctor: Client) -> None:
    answer = proctor.post(NEW, {"study": make.study().pk, "new": "on", "name": ""})
    code = shown_code(answer.content.decode())
    assert "no-store" in answer["Cache-Control"]
    session, _ = check_in(code, station=3)
    assert session.created_by == staff(Role.PROCTOR)
    assert code not in page_of(proctor, session)
    assert code.replace("-", "") not in session.code_hash
    assert all(code not in str(event.details) for event in Event.objects.all())
    with pytest.raises(Refusal):
        check_in(code, station=3)


def test_staff_choose_the_language_of_a_new_session(proctor: Client) -> None:
    create(proctor, language="ar")
    assert '<option value="ar">Arabic</option>' in proctor.get(NEW).content.decode()
    session = Session.objects.get()
    assert session.language == "ar"
    assert "<dt>Language</dt><dd>Arabic</dd>" in page_of(proctor, session)
    assert "<code>invalid_choice</code>" in create(proctor, language="xx")


@pytest.mark.services
def test_a_form_sent_twice_creates_one_session(proctor: Client) -> None:
    form = {"study": make.study().pk, "new": "on", "name": "", "form_token": token_in(proctor.get(NEW))}
    shown_code(proctor.post(NEW, form).content.decode())
    session = Session.objects.get()
    assert proctor.post(NEW, form)["Location"] == reverse("center:session", args=[session.pk])
    assert Session.objects.get() == session
    assert token_in(proctor.get(NEW)) != form["form_token"]


def test_a_reload_of_the_new_codes_page_does_not_void_that_code(proctor: Client) -> None:
    session, _ = create_session(make.study(), new_participant(), None)
    page = reverse("center:session", args=[session.pk])
    form = {"form_token": token_in(proctor.get(page))}
    code = shown_code(proctor.post(reverse("center:session-code", args=[session.pk]), form).content.decode())
    assert proctor.post(reverse("center:session-code", args=[session.pk]), form)["Location"] == page
    assert check_in(code, station=3)[0] == session


def test_a_new_participant_gets_a_pseudonym_and_the_reference(proctor: Client) -> None:
    create(proctor, name="R-17")
    person = Participant.objects.get()
    assert (person.reference, person.label[:2]) == ("R-17", "P-")


@pytest.mark.parametrize("by", ["label", "reference"])
def test_a_returning_participant_is_found_by_pseudonym_or_reference(proctor: Client, by: str) -> None:
    person = new_participant("R-17")
    create(proctor, new="", name=getattr(person, by))
    assert Session.objects.get().participant == person


@pytest.mark.parametrize(
    ("code", "changes"),
    [
        ("reference_taken", {"name": "R-17"}),
        ("participant_missing", {"new": ""}),
        ("participant_unknown", {"new": "", "name": "R-18"}),
        ("required", {"study": ""}),
        ("invalid_choice", {"study": "999999"}),
    ],
)
def test_an_invalid_form_has_an_error_code(proctor: Client, code: str, changes: dict[str, str]) -> None:
    new_participant("R-17")
    assert f"<code>{code}</code>" in create(proctor, **changes)
    assert not Session.objects.exists()


def test_a_new_code_voids_the_old_one(proctor: Client) -> None:
    session, old = create_session(make.study(), new_participant(), None)
    page = proctor.post(reverse("center:session-code", args=[session.pk])).content.decode()
    with refused("code_unknown"):
        check_in(old, station=None)
    assert check_in(shown_code(page), station=None)[0] == session
    assert Event.objects.filter(kind=EventKind.CODE_REISSUED, staff=staff(Role.PROCTOR)).exists()


def test_ending_a_session_ends_its_open_attempt(proctor: Client) -> None:
    session = make.session(make.study())
    attempt = make.play(session, [4], None)
    answer = proctor.post(reverse("center:session-end", args=[session.pk]), follow=True)
    attempt.refresh_from_db()
    session.refresh_from_db()
    assert (attempt.outcome, session.end_reason) == (Outcome.SESSION_OVER, SessionEnd.ENDED_BY_STAFF)
    assert "ended: staff ended it" in answer.content.decode()


def test_a_fault_is_shown_with_its_code_and_its_message_to_those_who_may_watch(proctor: Client) -> None:
    session = make.session(make.study())
    make.play(
        session, [4], Outcome.FAULT, fault_code="environment_raised", fault_message="It raised IndexError."
    )
    page = page_of(proctor, session)
    assert "environment_raised" in page
    assert "It raised IndexError." not in page
    assert "It raised IndexError." in page_of(signed_in(Role.LEAD), session)
    assert '<td class="number bad">1</td>' in proctor.get("/staff/sessions/").content.decode()


def test_all_events_are_listed(proctor: Client) -> None:
    page = page_of(proctor, make.session(make.study()))
    steps = ["session was created", "checked in", "gave consent", "finished the tutorial"]
    assert [page.index(step) for step in steps] == sorted(page.index(step) for step in steps)


def test_replays_are_linked_for_those_who_may_watch() -> None:
    session = make.session(make.study())
    address = reverse("review:attempt", args=[make.play(session, [4]).pk])
    assert address not in page_of(signed_in(Role.PROCTOR), session)
    assert address in page_of(signed_in(Role.LEAD), session)


def test_a_person_with_an_open_session_gets_another_only_by_decision(proctor: Client) -> None:
    open_session = make.session(make.study(name="First"))
    person = {"new": "", "name": open_session.participant.label}
    study = make.study(name="Second")
    page = create(proctor, study=study.pk, **person)
    assert f"open session: number {open_session.pk} of First" in page
    assert not Session.objects.filter(study=study).exists()
    assert shown_code(create(proctor, study=study.pk, another="on", **person))
    end_session(open_session, SessionEnd.ENDED_BY_STAFF)
    assert shown_code(create(proctor, study=study.pk, **person))
