"""The sweep ends nothing while its clock disagrees with those of the serving processes."""

import logging
from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from playtest.play import clock
from playtest.play.journal.heartbeat import beat, seconds_ahead
from playtest.play.models import Attempt, Heartbeat, Session
from playtest.play.sessions.attempts import open_next, set_first_frame
from playtest.play.tasks import end_overdue
from tests import make
from tests.make import study

pytestmark = [pytest.mark.django_db, pytest.mark.once]

HOURS = timedelta(hours=2)


@pytest.fixture
def playing() -> Attempt:
    """An open attempt."""
    return begun(clock.now())


def begun(at: datetime) -> Attempt:
    attempt = open_next(make.session(study()))
    assert attempt is not None
    set_first_frame(attempt.pk, at)
    return attempt


def start_the_clock(monkeypatch: pytest.MonkeyPatch, ahead: timedelta) -> None:
    """Makes this process start with a wrong machine clock."""
    monkeypatch.setattr(clock, "_STARTED", clock._STARTED + ahead)


@pytest.mark.parametrize(("wrong", "message"), [(HOURS, "7200 s ahead of"), (-HOURS, "7200 s behind")])
def test_a_sweep_with_a_wrong_clock_ends_nothing_and_says_why(
    playing: Attempt,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    wrong: timedelta,
    message: str,
) -> None:
    beat()
    start_the_clock(monkeypatch, wrong)
    with caplog.at_level(logging.ERROR):
        end_overdue()
    assert not Attempt.objects.filter(ended_at__isnull=False).exists()
    assert not Session.objects.filter(ended_at__isnull=False).exists()
    assert message in caplog.text
    assert "clock_disagrees" in caplog.text


def test_a_sweep_with_the_same_clock_ends_overdue_attempts() -> None:
    beat()
    overdue = begun(clock.now() - HOURS)
    end_overdue()
    overdue.refresh_from_db()
    assert overdue.outcome == "timed_out"


def test_a_sweep_asks_the_database_no_more_often_when_more_people_play(playing: Attempt) -> None:
    def asked() -> int:
        with CaptureQueriesContext(connection) as queries:
            end_overdue()
        return len(queries)

    beat()
    before = asked()
    for _ in range(3):
        begun(clock.now())
    assert asked() == before


@pytest.mark.services
def test_the_newest_heartbeat_since_the_machine_was_started_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that ended hours ago counts, but not one from before the machine's last start."""
    beat()
    Heartbeat.objects.update(process="ended", at=clock.machine_now() - HOURS)
    earlier = Heartbeat.objects.get()
    assert round(seconds_ahead()) == 7200
    Heartbeat.objects.update(uptime=earlier.uptime - 7200)
    assert round(seconds_ahead()) == 0
    start_the_clock(monkeypatch, HOURS)
    assert round(seconds_ahead()) == 7200
    Heartbeat.objects.update(boot="another start")
    assert round(seconds_ahead()) == (7200 if connection.vendor == "postgresql" else 0)
