"""Real people cannot play in virtual time, and the sweep ends nobody in virtual time."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.test import Client

from playtest.people.services import new_participant
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Attempt, Session, SessionEnd, Study
from playtest.play.sessions.ends import end_session
from playtest.play.sessions.seats import session_of_cookie
from playtest.play.sessions.services import check_in, create_session
from playtest.play.tasks import end_overdue
from playtest.rehearsal.clock import VirtualClock, virtual_time
from playtest.rules.attempt import Outcome
from tests import make
from tests.make import play, study
from tests.refusals import refused

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def clock(tmp_path: Path) -> VirtualClock:
    """A virtual clock that stands two hours ago."""
    return VirtualClock.create(tmp_path / "clock", datetime.now(UTC) - timedelta(hours=2))


def test_real_people_cannot_have_a_seat_in_virtual_time(clock: VirtualClock) -> None:
    cache.clear()  # codes entered by tests before this one count as guesses
    real = study()
    waiting, code = create_session(real, new_participant(), None)
    seated, other_code = create_session(real, new_participant(), None)
    _, token = check_in(other_code, station=1)
    cookies = {"seat": f"{seated.pk}.{token}"}
    assert session_of_cookie(cookies) == seated
    with virtual_time(clock):
        assert session_of_cookie(cookies) is None
        with refused("rehearsal_only"):
            check_in(code, station=2)
        assert "A rehearsal runs here" in Client().post("/", {"code": code}).text
        with pytest.raises(Refusal):
            create_session(real, new_participant(), None)
        with pytest.raises(Refusal):
            end_session(seated, SessionEnd.ENDED_BY_STAFF)
    assert not Session.objects.exclude(ended_at=None).exists()
    assert Session.objects.get(pk=waiting.pk).code_used_at is None


def test_simulated_people_have_sessions_in_virtual_time(clock: VirtualClock) -> None:
    with virtual_time(clock):
        session = make.session(study(rehearsal=True), new_participant(simulated=True))
        attempt = play(session, [4, 4, 4], outcome=None)
    assert session.checked_in_at == attempt.first_frame_at == clock.now()


def test_the_sweep_does_not_end_a_running_rehearsal(clock: VirtualClock) -> None:
    """Its deadlines have passed in real time and not in its virtual time."""
    with virtual_time(clock):
        attempt = play(
            make.session(study(rehearsal=True), new_participant(simulated=True)), [4], outcome=None
        )
    end_overdue()
    attempt.refresh_from_db()
    assert (attempt.ended_at, attempt.session.ended_at) == (None, None)


@pytest.mark.services
def test_the_sweep_ends_attempts_of_an_interrupted_rehearsal(clock: VirtualClock) -> None:
    with virtual_time(clock):
        attempt = play(
            make.session(study(rehearsal=True), new_participant(simulated=True)), [4], outcome=None
        )
    person = attempt.participant
    person.created_at = now() - timedelta(minutes=91)
    person.save()
    end_overdue()
    attempt = Attempt.objects.select_related("session").get(pk=attempt.pk)
    assert attempt.outcome == Outcome.TIMED_OUT
    assert attempt.first_frame_at is not None
    assert attempt.ended_at == attempt.first_frame_at + timedelta(minutes=30)
    assert attempt.session.checked_in_at is not None
    assert attempt.session.ended_at == attempt.session.checked_in_at + timedelta(minutes=90)


@pytest.mark.parametrize("simulated", [True, False])
def test_the_sweep_ends_other_overdue_attempts_in_real_time(clock: VirtualClock, simulated: bool) -> None:
    """Cases: a simulated person in a real study, and staff in a rehearsal."""
    with virtual_time(clock):
        session = make.session(study(rehearsal=True), new_participant(simulated=simulated))
    Study.objects.update(rehearsal=not simulated)
    end_overdue()
    session.refresh_from_db()
    assert session.ended_at is not None


@pytest.mark.parametrize("options", [{}, {"url": "http://127.0.0.1:9"}])
def test_simulated_people_play_in_rehearsals_only(options: dict[str, str]) -> None:
    with pytest.raises(CommandError, match=r"^not_a_rehearsal: "):
        call_command("simulate", study=study().pk, people=1, **options)
    assert not Session.objects.exists()


def test_simulate_needs_a_rehearsal() -> None:
    study()
    with pytest.raises(CommandError, match=r"^no_rehearsal: "):
        call_command("simulate")


@pytest.mark.parametrize("options", [{}, {"url": "http://127.0.0.1:9"}])
def test_no_simulated_person_starts_in_a_full_rehearsal(options: dict[str, str]) -> None:
    full = study(rehearsal=True, people=1)
    play(make.session(full, new_participant(simulated=True)), [2] * 31)
    with pytest.raises(CommandError, match=r"^study_full: Every environment of .* has its target of 1: "):
        call_command("simulate", study=full.pk, people=2, **options)
    assert Session.objects.count() == 1


def test_an_unreachable_server_is_reported() -> None:
    with pytest.raises(CommandError, match=r"^rehearsal_failed: "):
        call_command("simulate", study=study(rehearsal=True).pk, people=1, url="http://127.0.0.1:9")


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"stations": 2}, "stations_too_few: "),
        ({"url": "http://127.0.0.1:9"}, "rehearsal_failed: No server answers"),
    ],
)
def test_a_day_needs_three_stations_and_a_running_server(options: dict[str, Any], code: str) -> None:
    with pytest.raises(CommandError, match=f"^{code}"):
        call_command("simulate", day=True, **options)
    assert not Study.objects.exists()
