"""The controls of one station, as forms of the session's page and as the wall's fragment."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, expect

from playtest.center.models import Station, Void
from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play.clock import now, set_clock
from playtest.play.models import Attempt, Event, EventKind, Session
from playtest.play.sessions.adjustments import adjustments_of
from playtest.play.sessions.events import call_proctor
from playtest.play.sessions.services import create_session
from playtest.rules.attempt import Outcome
from tests import make
from tests.browsing import ORIGIN, browse
from tests.center.schedule.conftest import StandingClock
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

STAFF_KINDS = [
    EventKind.PAUSED, EventKind.RESUMED, EventKind.TIME_GRANTED, EventKind.ATTEMPT_ENDED,
    EventKind.ATTEMPT_VOIDED, EventKind.STATION_CHANGED, EventKind.NOTE_ADDED, EventKind.CALL_ANSWERED,
    EventKind.CODE_REISSUED, EventKind.SESSION_ENDED,
]  # fmt: skip


@pytest.fixture(scope="module")
def made(module_db: None) -> tuple[int, int]:
    """Two sessions: one before its first environment, one that plays."""
    study = make.study()
    waits, plays = make.session(study), make.session(study)
    make.play(plays, [4], None)
    return waits.pk, plays.pk


@pytest.fixture
def session(made: tuple[int, int], request: pytest.FixtureRequest) -> Session:
    """The one that plays, for a test of its attempt."""
    found = Session.objects.select_related("study", "participant", "protocol")
    return found.get(pk=made["attempt" in request.fixturenames])


@pytest.fixture
def attempt(made: tuple[int, int]) -> Attempt:
    return Attempt.objects.get(session=made[1])


def shown(client: Client, session: Session) -> str:
    return client.get(reverse("center:session-controls", args=[session.pk])).content.decode()


def use(client: Client, session: Session, control: str, **fields: Any) -> Any:
    """Sends a form as the wall does."""
    address = reverse(f"center:session-{control}", args=[session.pk])
    return client.post(address, fields, headers={"X-Fragment": "controls"})


def done(session: Session) -> list[tuple[str, int | None, dict[str, Any]]]:
    """What staff have done: kind, number of the attempt, details."""
    events = session.events.filter(kind__in=STAFF_KINDS, staff=staff(Role.PROCTOR)).order_by("pk")
    return list(events.values_list("kind", "attempt__number", "details"))


def buttons(page: str) -> list[str]:
    return re.findall(r"<button[^>]*>([^<]+)<", page)


def test_controls_are_those_that_make_sense_now(proctor: Client, session: Session) -> None:
    assert buttons(shown(proctor, session)) == [
        "Pause session", "Add note", "Grant time", "Create new code", "End session", "End it then",
    ]  # fmt: skip
    attempt = make.play(session, [4], None)
    assert buttons(shown(proctor, session)) == [
        "Pause session", "Add note", "Grant time", f"End environment {attempt.number}", "Void attempt",
        "Create new code", "End session", "End it then",
    ]  # fmt: skip
    use(proctor, session, "pause")
    assert buttons(shown(proctor, session))[0] == "Resume session"
    use(proctor, session, "end")
    assert buttons(shown(proctor, session)) == ["Add note", "Void attempt"]


def test_nobody_has_checked_in_yet(proctor: Client) -> None:
    session, _ = create_session(make.study(), new_participant(), None)
    assert buttons(shown(proctor, session)) == ["Add note", "Create new code", "End session"]
    answer = use(proctor, session, "pause")
    assert (answer.status_code, "not_checked_in" in answer.content.decode()) == (409, True)


def test_the_state_is_one_sentence(proctor: Client, session: Session, attempt: Attempt) -> None:
    page = shown(proctor, session)
    assert re.search(rf"Station 1: {session.participant.label} plays environment 1 \(wk01\), \d+:\d\d", page)
    assert "of the session left." in page
    use(proctor, session, "pause", reason="nose bleeds")
    page = shown(proctor, session)
    assert "is paused in environment 1" in page
    assert "by proctor: “nose bleeds”" in page


def test_pause_and_resume_say_what_they_did(proctor: Client, session: Session, attempt: Attempt) -> None:
    assert "Paused. The clocks stand still." in use(proctor, session, "pause").content.decode()
    assert use(proctor, session, "pause", reason="again").status_code == 409
    assert "Resumed. The clocks run again." in use(proctor, session, "resume").content.decode()
    assert [kind for kind, *_ in done(session)] == ["paused", "resumed"]


def test_time_is_granted(proctor: Client, session: Session, attempt: Attempt) -> None:
    expected = []
    for fields, seconds, environment, session_too in (
        ({"minutes": "5", "to": "both"}, 300, True, True),
        ({"minutes": "10", "to": "environment"}, 600, True, False),
        ({"minutes": "own", "own_minutes": "7", "to": "session"}, 420, False, True),
    ):
        answer = use(proctor, session, "grant", attempt=attempt.pk, reason="it hung", **fields)
        assert answer.status_code == 200
        to = {"environment": environment, "session": session_too}
        expected.append(("time_granted", 1, {"seconds": seconds, **to, "reason": "it hung"}))
    assert done(session) == expected


def test_a_grant_is_taken_back_while_none_of_it_is_used(
    proctor: Client, session: Session, attempt: Attempt
) -> None:
    use(proctor, session, "grant", attempt=attempt.pk, minutes="5", to="both")
    assert "Take the last 5 minutes back" in shown(proctor, session)
    assert "5 minutes are taken back." in use(proctor, session, "take-back").content.decode()
    assert adjustments_of(session).grants == ()
    assert "nothing_to_take_back" in use(proctor, session, "take-back").content.decode()
    use(proctor, session, "grant", attempt=attempt.pk, minutes="5", to="environment")
    before = set_clock(StandingClock(now() + timedelta(minutes=31)))
    used = use(proctor, session, "take-back").content.decode()
    set_clock(before)
    assert "grant_used" in used


def test_one_session_ends_in_some_minutes_unless_that_is_called_off(
    proctor: Client, session: Session
) -> None:
    assert "ends in 5 minutes" in use(proctor, session, "end-soon", minutes="5").content.decode()
    assert "of the session left, as staff planned its end" in shown(proctor, session)
    assert "called off" in use(proctor, session, "go-on").content.decode()
    assert "ends_before" in use(proctor, session, "end-soon", minutes="120").content.decode()


def test_a_grant_that_makes_no_sense_is_refused(proctor: Client, session: Session, attempt: Attempt) -> None:
    cases: list[tuple[dict[str, str], str]] = [
        ({}, "minutes_invalid"),
        ({"minutes": "0"}, "minutes_invalid"),
        ({"minutes": "-5"}, "minutes_invalid"),
        ({"minutes": "own", "own_minutes": "1.5"}, "minutes_invalid"),
        ({"minutes": "own", "own_minutes": "99999999999999999999"}, "minutes_invalid"),
        ({"minutes": "own", "own_minutes": "121", "to": "session"}, "seconds_invalid"),
        ({"minutes": "5"}, "choice_unknown"),
        ({"minutes": "5", "to": "everything"}, "choice_unknown"),
        ({"minutes": "5", "to": "both", "attempt": "0"}, "attempt_over"),
        ({"minutes": "5", "to": "both", "attempt": "x"}, "attempt_over"),
        ({"minutes": "5", "to": "session", "reason": "a\x07"}, "text_not_one_line"),
    ]
    for fields, code in cases:
        answer = use(proctor, session, "grant", **{"attempt": attempt.pk, **fields})
        assert answer.status_code in (400, 409), fields
        assert code in answer.content.decode(), fields
    assert done(session) == []


def test_an_environment_is_ended_and_the_session_goes_on(
    proctor: Client, session: Session, attempt: Attempt
) -> None:
    use(proctor, session, "end-attempt", attempt=attempt.pk)
    attempt.refresh_from_db()
    session.refresh_from_db()
    assert (attempt.outcome, session.ended_at) == (Outcome.ENDED_BY_STAFF, None)
    assert done(session) == [("attempt_ended", 1, {"outcome": "ended_by_staff"})]


def test_a_page_of_an_earlier_environment_does_nothing_to_the_next(proctor: Client) -> None:
    pool = [make.environment("wk01"), make.environment("ck01")]
    session = make.session(make.study(pool=pool))
    earlier = make.play(session, [0])
    following = make.play(session, [0], None)
    cases: dict[str, dict[str, str]] = {"end-attempt": {}, "grant": {"minutes": "5", "to": "environment"}}
    for control, fields in cases.items():
        answer = use(proctor, session, control, attempt=earlier.pk, **fields)
        following.refresh_from_db()
        assert (answer.status_code, following.ended_at, done(session)) == (409, None, [])
        assert "attempt_over" in answer.content.decode()


def test_an_attempt_is_voided_with_a_reason(proctor: Client, session: Session, attempt: Attempt) -> None:
    answer = use(proctor, session, "void", attempt=attempt.pk, reason="disturbed", text="phone rang")
    assert "The attempt at environment 1 is void." in answer.content.decode()
    assert Void.objects.get().attempt == attempt
    assert [kind for kind, *_ in done(session)] == ["attempt_ended", "attempt_voided"]
    page = proctor.get(reverse("center:session", args=[session.pk])).content.decode()
    assert "<strong>void</strong>: the participant was disturbed or unwell “phone rang”" in page


def test_an_attempt_of_another_session_cannot_be_voided(proctor: Client, session: Session) -> None:
    other = make.play(make.session(session.study), [4], None)
    assert use(proctor, session, "void", attempt=other.pk, reason="technical").status_code == 400
    assert not Void.objects.exists()


def test_a_session_moves_to_a_free_registered_station(
    proctor: Client, session: Session, attempt: Attempt
) -> None:
    Station.objects.create(number=7, room="North", token_hash="x" * 64)
    Station.objects.create(number=8, room="North")
    page = shown(proctor, session)
    assert re.findall(r'<option value="(\d+)">[78], North', page) == ["7"]
    use(proctor, session, "move", station="7", reason="broken mouse")
    assert done(session) == [("station_changed", 1, {"from": 1, "to": 7, "reason": "broken mouse"})]
    for station in ("7", "8", "9", "", "x"):
        assert use(proctor, session, "move", station=station).status_code in (400, 409)


def test_a_call_is_answered_once(proctor: Client, session: Session) -> None:
    call_proctor(session)
    assert "Answer call" in shown(proctor, session)
    assert "The call is answered." in use(proctor, session, "answer").content.decode()
    assert "no_call" in use(proctor, session, "answer").content.decode()
    assert done(session) == [("call_answered", None, {})]


def test_after_the_end_only_notes_and_voids_are_possible(
    proctor: Client, session: Session, attempt: Attempt
) -> None:
    use(proctor, session, "end")
    before = done(session)
    fields = {"minutes": "5", "to": "session", "attempt": attempt.pk, "reason": "technical", "station": "7"}
    for control in (
        "pause",
        "resume",
        "grant",
        "take-back",
        "end-soon",
        "end-attempt",
        "move",
        "answer",
        "code",
        "end",
    ):
        assert use(proctor, session, control, **fields).status_code == 409, control
    assert done(session) == before
    use(proctor, session, "note", text="left a scarf")
    assert done(session)[-1] == ("note_added", None, {"text": "left a scarf"})
    make_void = {"attempt": "all", "reason": "wrong_person"}
    assert (
        "Void now: 1 attempt of this session." in use(proctor, session, "void", **make_void).content.decode()
    )
    assert Void.objects.get().attempt == attempt


@pytest.mark.services
def test_a_form_that_is_sent_twice_acts_once(proctor: Client, session: Session, attempt: Attempt) -> None:
    form = {"minutes": "5", "to": "both", "attempt": attempt.pk, "form_token": "once"}
    for _ in range(2):
        assert use(proctor, session, "grant", **form).status_code == 200
    assert len(done(session)) == 1
    use(proctor, session, "note", text="a", form_token="once")
    use(proctor, session, "note", text="b", form_token="once")
    assert len(done(session)) == 3


def test_a_refused_form_can_be_sent_again(proctor: Client, session: Session) -> None:
    form = {"form_token": "once"}
    assert use(proctor, session, "resume", **form).status_code == 409
    use(proctor, session, "pause")
    assert use(proctor, session, "resume", **form).status_code == 200


def test_a_plain_form_leads_back_to_the_sessions_page(proctor: Client, session: Session) -> None:
    page = reverse("center:session", args=[session.pk])
    answer = proctor.post(reverse("center:session-pause", args=[session.pk]))
    assert answer["Location"] == page
    answer = proctor.post(reverse("center:session-pause", args=[session.pk]), follow=True)
    assert "already_paused" in answer.content.decode()


def test_notes_are_shown_as_they_were_written(proctor: Client, session: Session) -> None:
    use(proctor, session, "note", text="<script>alert(1)</script>")
    page = proctor.get(reverse("center:session", args=[session.pk])).content.decode()
    assert "Note: “&lt;script&gt;alert(1)&lt;/script&gt;”" in page
    assert Event.objects.get(kind=EventKind.NOTE_ADDED).details == {"text": "<script>alert(1)</script>"}


def test_a_control_answers_in_place(page: Page, session: Session, attempt: Attempt) -> None:
    """In length: tests/live/test_a_proctor_and_three_participants.py."""
    browse(page, signed_in(Role.PROCTOR)).goto(f"{ORIGIN}/staff/sessions/{session.pk}/")
    note = page.get_by_label("Note", exact=True)
    note.fill("asks about undo")
    note.press("Enter")
    expect(page.locator("#session-events")).to_contain_text("“asks about undo”")
    expect(note).to_be_focused()
    expect(note).to_have_value("")
    page.get_by_role("button", name="Pause session").click()
    expect(page.locator("staff-controls .notice")).to_be_visible()
    expect(page.get_by_role("button", name="Resume session")).to_be_visible()
    assert [kind for kind, *_ in done(session)] == ["note_added", "paused"]
