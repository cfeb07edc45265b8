"""While a person's own connection is away no clock runs and limits wait; every sum agrees with the events."""

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta
from io import StringIO

import pytest
from django.core.management import call_command

from playtest.people.roles import Role
from playtest.play.clock import now
from playtest.play.journal import heartbeat
from playtest.play.journal.heartbeat import Signs
from playtest.play.models import Attempt, Event, EventKind
from playtest.play.page import connected
from playtest.play.page.connected import ConnectedSession
from playtest.play.sessions import absences, adjustments
from playtest.play.sessions.absences import Return, all_came_back
from playtest.play.sessions.adjustments import adjustments_of
from playtest.play.sessions.attempts import end_attempt
from playtest.play.sessions.clocks import change, planning_end
from playtest.play.sessions.ends import end_what_is_over
from playtest.play.sessions.reads import deadline_of
from playtest.play.sessions.status import session_status
from playtest.review.services.effort import assess
from playtest.rules.attempt import Outcome
from playtest.rules.effort.evidence import Rule
from tests import make
from tests.make import at, pause_between, play
from tests.staff import staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

FIVE = 300


@pytest.fixture(autouse=True)
def signs(monkeypatch: pytest.MonkeyPatch) -> Signs:
    """As if this process had heard nothing yet."""
    made = Signs()
    for place in (heartbeat, absences, adjustments, connected):
        monkeypatch.setattr(place, "signs", made)
    return made


@pytest.fixture
def attempt() -> Attempt:
    """Open for 40 seconds, with 10 actions in the first 20 of them; its hard limit is at 60 seconds."""
    campaign = make.study(soft_seconds=30, hard_seconds=60, session_seconds=5000)
    with at(now() - timedelta(hours=1)):
        made = play(make.session(campaign), [4] * 10, None)
    campaign.pool.add(make.environment("ck01"))
    return made


def after(attempt: Attempt, seconds: float) -> datetime:
    assert attempt.first_frame_at is not None
    return attempt.first_frame_at + timedelta(seconds=seconds)


def back(attempt: Attempt, since: float, until: float, signs: Signs) -> None:
    """The connection was away."""
    signs.heard(attempt.session_pk, after(attempt, since))
    with at(after(attempt, until)):
        all_came_back([Return(attempt.session_pk, now())])


def left(attempt: Attempt) -> float:
    """The seconds from the first frame after which the attempt is over."""
    deadline = deadline_of(attempt, adjustments_of(attempt.session))
    assert deadline is not None
    return (deadline.at - after(attempt, 0)).total_seconds()


def stopped_by_events(attempt: Attempt) -> float:
    """The other way: the sum of the intervals between the events."""
    events = Event.objects.filter(session=attempt.session, details__own=True).order_by("pk")
    times = list(events.values_list("kind", "server_time"))
    assert [kind for kind, _ in times] == [EventKind.PAUSED, EventKind.RESUMED] * (len(times) // 2)
    moments = [moment.timestamp() for _, moment in times]
    return sum(end - start for start, end in zip(moments[::2], moments[1::2], strict=True))


@pytest.mark.usefixtures("own_folder")
def test_a_cut_of_two_minutes_across_the_hard_limit_costs_nothing(attempt: Attempt, signs: Signs) -> None:
    back(attempt, 40, 160, signs)
    assert left(attempt) == 60 + 120
    assert stopped_by_events(attempt) == pytest.approx(120)
    with at(after(attempt, 161)):
        end_what_is_over(attempt.session_pk, now())
        status = session_status(attempt.session_pk, now())
    assert status.attempt == attempt
    end_attempt(attempt.pk, Outcome.GAVE_UP, after(attempt, 170))
    for command, said in (("audit", "0 findings"), ("rebuild", "0 attempts corrected")):
        out = StringIO()
        call_command(command, stdout=out)
        assert said in out.getvalue()


def test_a_page_that_connects_again_was_away_even_for_seconds(attempt: Attempt, signs: Signs) -> None:
    signs.heard(attempt.session_pk, after(attempt, 40))
    all_came_back([Return(attempt.session_pk, after(attempt, 43))])
    assert stopped_by_events(attempt) == 0, "a reload, or another window"
    all_came_back([Return(attempt.session_pk, after(attempt, 46), reconnects=True)])
    assert stopped_by_events(attempt) == pytest.approx(3)


def hear(
    attempt: Attempt, *moments: float, waits: bool = False, on_limit: Callable[[], object] = lambda: None
) -> None:
    """A connection is made at the first of these seconds from the first frame, and heard at them all."""

    async def to_hear() -> None:
        with at(after(attempt, moments[0])):
            play = ConnectedSession(attempt.session_pk, rebuilding, on_limit, pings=True)
            play.heard()
        play._waits = waits
        for moment in moments[1:]:
            with at(after(attempt, moment)):
                play.heard()

    async def rebuilding() -> None: ...

    asyncio.run(to_hear())


def test_what_a_lost_connection_delivers_late_is_no_sign_of_life(attempt: Attempt, signs: Signs) -> None:
    """The network comes back and delivers pings and an action; the page had given the connection up."""
    limits: list[int] = []
    hear(attempt, 40, 100, 100.2, 102.9, waits=True, on_limit=lambda: limits.append(1))
    make.record(attempt, [4] * 11, None, after(attempt, 0), 2, pause=(10, 78))
    assert signs.last(attempt.session_pk) == after(attempt, 40)
    assert limits == [], "a limit that has passed waits for the return"
    all_came_back([Return(attempt.session_pk, after(attempt, 103), reconnects=True)])
    assert stopped_by_events(attempt) == pytest.approx(63)
    assert signs.last(attempt.session_pk) == after(attempt, 103)


def test_a_page_that_goes_on_after_a_silence_is_there(attempt: Attempt, signs: Signs) -> None:
    limits: list[int] = []
    hear(attempt, 40, 50, 53, waits=True, on_limit=lambda: limits.append(1))
    assert (signs.last(attempt.session_pk), limits) == (after(attempt, 53), [1])
    hear(attempt, 60, 65.9, 71.8, 71.9)
    assert signs.last(attempt.session_pk) == after(attempt, 71.9), "no silence"


def test_limits_that_pass_meanwhile_wait_for_the_return(attempt: Attempt, signs: Signs) -> None:
    signs.heard(attempt.session_pk, after(attempt, 40))
    with at(after(attempt, 300)):
        end_what_is_over(attempt.session_pk, now())
    attempt.refresh_from_db()
    assert attempt.ended_at is None


def test_a_limit_that_the_person_was_there_for_waits_for_nobody(attempt: Attempt, signs: Signs) -> None:
    signs.heard(attempt.session_pk, after(attempt, 61))
    with at(after(attempt, 62)):
        end_what_is_over(attempt.session_pk, now())
    attempt.refresh_from_db()
    assert attempt.ended_at == after(attempt, 60)


def test_the_sweep_ends_the_attempt_of_somebody_who_does_not_come_back(
    attempt: Attempt, signs: Signs
) -> None:
    signs.heard(attempt.session_pk, after(attempt, 40))
    for seconds, outcome in ((59 + FIVE, ""), (60 + FIVE, Outcome.TIMED_OUT)):
        with at(after(attempt, seconds)):
            end_what_is_over(attempt.session_pk, now())
        attempt.refresh_from_db()
        assert attempt.outcome == outcome
    assert attempt.ended_at == after(attempt, 60 + FIVE)
    assert stopped_by_events(attempt) == pytest.approx(FIVE)
    back(attempt, 40, 1000, signs)
    assert stopped_by_events(attempt) == pytest.approx(FIVE), "who comes back then gets no second allowance"


def test_an_end_that_staff_planned_waits_for_nobody_who_is_away(signs: Signs) -> None:
    with at(now() - timedelta(hours=1)):
        attempt = play(make.session(make.study(session_seconds=5000)), [4] * 10, None)
    signs.heard(attempt.session_pk, after(attempt, 40))
    with at(after(attempt, 50)):
        change(attempt.session, staff(Role.PROCTOR), planning_end(1))
    with at(after(attempt, 115)):
        end_what_is_over(attempt.session_pk, now())
    attempt.refresh_from_db()
    attempt.session.refresh_from_db()
    assert attempt.session.ended_at == attempt.ended_at == after(attempt, 110)
    assert stopped_by_events(attempt) == 0


def test_what_staff_paused_meanwhile_is_not_counted_twice(attempt: Attempt, signs: Signs) -> None:
    pause_between(attempt.session, after(attempt, 50), after(attempt, 80))
    back(attempt, 40, 160, signs)
    assert left(attempt) == 60 + 120
    assert stopped_by_events(attempt) == pytest.approx(90)


def test_with_an_older_protocol_it_is_charged_as_before(signs: Signs) -> None:
    campaign = make.study(soft_seconds=30, hard_seconds=60, away_seconds=0)
    with at(now() - timedelta(hours=1)):
        attempt = play(make.session(campaign), [4], None)
    back(attempt, 40, 55, signs)
    assert left(attempt) == 60
    assert stopped_by_events(attempt) == 0


def test_signs_outlast_the_process_that_heard_them(attempt: Attempt, signs: Signs) -> None:
    signs.heard(attempt.session_pk, now())
    heard = signs.last(attempt.session_pk)
    heartbeat.beat()
    assert Signs().last(attempt.session_pk) == heard
    assert Signs().last(attempt.session_pk + 1) is None


def test_the_last_action_is_a_sign_of_life(attempt: Attempt, signs: Signs) -> None:
    signs.heard(attempt.session_pk, after(attempt, 5))
    assert signs.last(attempt.session_pk) == after(attempt, 20)


def test_long_absences_are_a_flag_of_their_own(attempt: Attempt, signs: Signs) -> None:
    back(attempt, 40, 161, signs)
    end_attempt(attempt.pk, Outcome.GAVE_UP, after(attempt, 170))
    assess([attempt.session])
    [flag] = attempt.session.flags.filter(rule=Rule.CUT_OFF)
    assert flag.strength == "note"
    assert flag.sentence == (
        "In environment 1 the clock stood still 1 time, 2:01 min in all, because the connection was away."
    )
