"""What an everyday center has: people who played two versions, slots of today, flags, a plan and a job."""

from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal

from playtest.arena.services.keys import create_key
from playtest.center.models import AdjustmentReason, Booking, Slot
from playtest.center.pay.services.adjustments import enter_adjustment
from playtest.center.schedule.services.bookings import book, give_code
from playtest.insight.services.preregistrations import register
from playtest.jobs.models import JobStatus
from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play.clock import now
from playtest.play.models import Attempt, Session, SessionEnd, Study
from playtest.play.sessions.services import (
    answer_survey,
    check_in,
    end_session,
    finish_tutorial,
    give_consent,
)
from playtest.rules.attempt import Outcome
from playtest.studio.models import Environment, Qualification
from tests import sittings
from tests.insight.stages import newer_version, ready_inside
from tests.live.games import WALK
from tests.remembered import remembered
from tests.review import cases
from tests.staff import staff

SEATS = 34
ASKED = 8
"""So many play the second version: its baseline can be released."""
WASTED = [2] * 31
"""Steps against a wall, with which an attempt counts."""
FIRST_VERSION = (WALK, WALK[:4], WALK[:4], WALK[:10], WALK[:10], WALK[:13])
SECOND_VERSION = (WALK, WALK[:7], WALK, WALK[:4], WALK, WALK[:13])


@dataclass(frozen=True)
class World:
    """The things that the work is about.

    `full` and `empty` are slots of today: one with bookings, one with none. `left` are the newest attempts
    that ended on level 4. `blocked` has no specification card. Of `finished` an adjustment of pay waits.
    """

    study: Study
    full: Slot
    empty: Slot
    booked: Booking
    left: list[Attempt]
    blocked: Environment
    flagged: Session
    finished: Session
    failed: Qualification


@remembered
def everyday_world() -> World:
    """Make people play, and everything else that waits for somebody."""
    walk, blocked = sittings.environment("wk01"), sittings.environment("rn01")
    walk.title = "Walk"
    ready_inside(walk)
    blocked.title, blocked.note, blocked.owner = "Run", "Reach the goal.", staff(Role.DESIGNER)
    blocked.save()
    coming = sittings.study("rn01", name="Summer sessions", people=200)
    full, empty = slot(coming, "Blue room"), slot(coming, "Green room")
    booked = book(full, new_participant("R-17"), None)
    give_code(booked, None)
    finished = finished_in(full)
    flagged = cases.ended(cases.hasty(cases.study_with_people(people=ASKED)))
    study = sittings.study("wk01", name="Spring sessions", people=ASKED)
    register(study, staff(Role.RESEARCHER), people=ASKED, analysis="Most solve it.")
    for acts in FIRST_VERSION:
        played(study, acts, minutes_ago=900)
    newer_version(walk)
    for acts in SECOND_VERSION:
        played(study, acts, minutes_ago=600)
    left = [played(study, WALK[:10], minutes_ago=minutes) for minutes in (9, 5)]
    create_key("Team Alpha")
    return World(study, full, empty, booked, left, blocked, flagged, finished, failed_job(walk))


def played(study: Study, acts: list[int], *, minutes_ago: float) -> Attempt:
    """Return the attempt of a new person who completes what the acts complete, and ends."""
    session = sittings.sit_down(study)
    outcome = Outcome.COMPLETED if acts == WALK else Outcome.GAVE_UP
    attempt = sittings.play(session, [*WASTED, *acts], outcome, minutes_ago=minutes_ago)
    end_session(session, SessionEnd.POOL_USED_UP)
    return attempt


def slot(study: Study, room: str) -> Slot:
    """Return a slot that has just begun."""
    begins = now()
    return Slot.objects.create(
        study=study,
        room=room,
        starts_at=begins,
        ends_at=begins + timedelta(hours=2),
        capacity=SEATS,
        created_at=begins,
    )


def finished_in(found: Slot) -> Session:
    """Return the session of somebody who has finished, and whose adjustment of pay waits."""
    booking = book(found, new_participant("R-18"), None)
    session, _ = check_in(give_code(booking, None), station=1)
    give_consent(session)
    answer_survey(session, {})
    finish_tutorial(session)
    session.refresh_from_db()
    sittings.play(session, [0] * 40, minutes_ago=100)
    end_session(session, SessionEnd.ENDED_BY_STAFF)
    why = "A station did not work."
    enter_adjustment(session, Decimal(10), AdjustmentReason.WAITED, why, staff(Role.PROCTOR))
    session.refresh_from_db()
    return session


def failed_job(walk: Environment) -> Qualification:
    walk.refresh_from_db()
    assert walk.current is not None
    return Qualification.objects.create(
        version=walk.current,
        seed=1,
        steps=1_000_000,
        status=JobStatus.FAILED,
        error="worker_lost: The worker ended without a report.",
        requested_at=now(),
        finished_at=now(),
    )


def roster() -> str:
    """Return the file that a recruiter sends, with a line for each seat."""
    lines = [f"P-{number:02},person{number}@example.org" for number in range(1, SEATS + 1)]
    return "\n".join(["reference,email", *lines])
