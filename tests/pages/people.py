"""People of two studies and a rehearsal: what they played, what staff decided, planned and paid."""

from collections.abc import Sequence
from datetime import timedelta
from decimal import Decimal

from playtest.center.models import AdjustmentReason, PayAccount, Slot
from playtest.center.pay.payments import issue_receipt, make_batch
from playtest.center.pay.services import enter_adjustment, set_budget
from playtest.center.schedule.bookings import book
from playtest.center.stations.services import create_stations
from playtest.insight.compute.results import bring_up_to_date
from playtest.insight.services.releases import release
from playtest.insight.services.reports import register
from playtest.people.models import Staff
from playtest.people.services import new_participant
from playtest.play.clock import now
from playtest.play.journal.days import sign_days
from playtest.play.models import Attempt, Session, SessionEnd, Study
from playtest.play.sessions.debriefs import answer_debrief
from playtest.play.sessions.ends import end_session
from playtest.play.sessions.services import check_in, create_session
from playtest.review.attempt_film import FilmOptions
from playtest.review.models import DecisionKind, ExportKind
from playtest.review.services.collections import CommentContent, add_comment, create_with_item
from playtest.review.services.decisions import decide
from playtest.review.services.exports import request_film
from playtest.review.tasks.effort import flag_effort
from playtest.rules.attempt import Outcome
from playtest.rules.debrief import Answers
from tests import make
from tests.insight.stages import newer_version
from tests.live.games import WALK
from tests.review.cases import INTO_THE_WALL

TO_AND_FRO = [4, 3]
CLICKS: Sequence[make.Act] = [(4, 22), 7, (4, 22), (30, 30)] * 9
WHY = "Looked at the whole replay."
REFERENCE = "panel-2026-autumn-0417"


def detour(steps: int, acts: Sequence[make.Act] = WALK) -> list[make.Act]:
    """So many steps to and fro, then these actions."""
    return [*TO_AND_FRO * (steps // 2), *acts]


def everybody(lead: Staff, other: Staff) -> Study:
    """The study of wk01 and ck01, with a release, and all that staff do about people."""
    walk, lamps = make.environment("wk01"), make.environment("ck01")
    with make.at(now() - timedelta(days=2)):
        study = make.study(pool=[walk, lamps], name="Autumn sessions", people=60, fee=40, bonus=5)
        for analysis in ("Success of each environment.", "Success, with its interval."):
            register(study, None, people=10, analysis=analysis)
        solvers = [play_both(study, number) for number in range(4)]
    leave(study)
    hasty = make.session(study, new_participant(REFERENCE))
    make.play(hasty, {"wk01": INTO_THE_WALL, "ck01": CLICKS[:3]}, seconds_an_action=0.05)
    end_session(hasty, SessionEnd.ENDED_BY_STAFF)
    flag_effort()
    bring_up_to_date(Attempt.objects.all())
    sign_days(now())
    review(lead, other, solvers, hasty)
    assert walk.current is not None
    release(walk.current, lead, "A first look.", provisional=True)
    newer, _ = newer_version(walk), newer_version(lamps)
    make.play(make.session(study), {"wk01": detour(34), "ck01": CLICKS})
    make.play_internally(newer, lead, [4], None)
    rehearse()
    room(study, lead)
    pay(study, solvers[0], lead)
    return study


def play_both(study: Study, number: int) -> Session:
    """Somebody who completes wk01, clicks through ck01, and says what they think of both."""
    session = make.session(study, new_participant(f"panel-{number}"))
    acts = {"wk01": detour(14 + 2 * number), "ck01": CLICKS}
    for outcome in (Outcome.COMPLETED, Outcome.GAVE_UP):
        attempt = make.play(session, acts, outcome)
        answer_debrief(attempt.pk, Answers(1 + number, "Find the way." * number))
    end_session(session, SessionEnd.ENDED_BY_STAFF)
    return session


def leave(study: Study) -> None:
    """People whose attempts end in each other way."""
    for outcome in (Outcome.GAVE_UP, Outcome.CONCLUDED, Outcome.TIMED_OUT, Outcome.SESSION_OVER):
        session = make.session(study)
        make.play(session, {"wk01": detour(34, WALK[:8]), "ck01": CLICKS}, outcome)
    make.play(
        make.session(study),
        {"wk01": [4], "ck01": CLICKS[:2]},
        Outcome.FAULT,
        fault_code="environment_raised",
        fault_message="The environment failed at an action.",
    )


def review(lead: Staff, other: Staff, solvers: Sequence[Session], hasty: Session) -> None:
    """Verdicts of two reviewers, comments, a collection and a film."""
    decide(hasty, other, DecisionKind.EXCLUDE_SESSION, "did_not_try", WHY)
    decide(solvers[3], lead, DecisionKind.KEEP, "tried", WHY)
    attempt = solvers[0].attempts.order_by("number")[0]
    add_comment(attempt, lead, 5, 10.0, CommentContent.of("Sees the pit, and avoids it.", ["insight"]))
    create_with_item(lead, "Insights", attempt, 5, "Here")
    request_film(attempt, ExportKind.GIF, FilmOptions(scale=1), lead, lambda export: None)


def rehearse() -> None:
    """A rehearsal of two simulated people."""
    study = make.study(name="Rehearsal of the autumn", rehearsal=True, people=5)
    for number in range(2):
        person = new_participant(simulated=True)
        make.play(make.session(study, person), detour(20 + 4 * number), Outcome.COMPLETED)


def room(study: Study, lead: Staff) -> None:
    """Stations, somebody who plays, somebody at the consent, and a slot tomorrow with two bookings."""
    create_stations("Room 1", 1, 3, lead)
    make.play(make.session(study), {"wk01": detour(10), "ck01": CLICKS}, None)
    _, code = create_session(study, new_participant(), lead)
    check_in(code, station=2)
    create_session(study, new_participant("late"), lead)
    tomorrow = now() + timedelta(days=1)
    ends_at = tomorrow + timedelta(hours=2)
    slot = Slot.objects.create(
        study=study, room="Room 1", starts_at=tomorrow, ends_at=ends_at, capacity=5, created_at=now()
    )
    for reference in ("panel-8", "panel-9"):
        book(slot, new_participant(reference), lead)


def pay(study: Study, session: Session, lead: Staff) -> None:
    """A budget that is nearly spent, an adjustment that waits, a receipt, a batch, and a slot to be paid."""
    set_budget(study, Decimal(4000), 60, WHY, lead)
    enter_adjustment(session, Decimal("12.50"), AdjustmentReason.WAITED, WHY, lead)
    issue_receipt(PayAccount.objects.get(link__session=session), lead)
    make_batch(None, None, None, lead)
    begun = Slot.objects.create(
        study=study,
        room="Room 2",
        starts_at=now(),
        ends_at=now() + timedelta(hours=2),
        capacity=5,
        created_at=now(),
    )
    booking = book(begun, new_participant("panel-7"), lead)
    booking.session = make.session(study, booking.participant)
    booking.save()
    end_session(booking.session, SessionEnd.ENDED_BY_STAFF)
