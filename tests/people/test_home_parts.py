"""What the homes of proctors, researchers and leads list, how much they read, and how they look."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from playtest.center.models import Slot, Station
from playtest.center.stations import queries
from playtest.insight.models import Release
from playtest.insight.paper.preregistration import newest_standings
from playtest.insight.services.reports import register
from playtest.people.roles import Role
from playtest.play.clock import now
from playtest.play.models import Attempt, Event, EventKind, Session, Study
from playtest.play.sessions.events import answer_call, call_proctor
from playtest.review.models import DecisionKind
from playtest.rules.attempt import Outcome
from playtest.studio.models import Environment, Qualification
from tests import make
from tests.databases import free_of_triggers
from tests.insight.stages import ready_inside
from tests.people.test_home import HOME, home
from tests.review.cases import settled as decided
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

ENOUGH = [4] * 40


def section(role: Role, heading: str) -> str:
    """The part of a home below a heading that begins so."""
    _, found, rest = home(role).partition(f"<h2>{heading}")
    assert found, f"no heading {heading!r}"
    return rest.partition("</section>")[0]


def playing(study: Study, *, station: int) -> Attempt:
    """Somebody at a station whose page is connected, and who acted a moment ago."""
    session = make.session(study)
    attempt = make.play(session, [4], None)
    Session.objects.filter(pk=session.pk).update(station=station)
    Event.objects.create(session=session, kind=EventKind.CONNECTED, server_time=now())
    return attempt


def test_a_proctor_sees_who_calls_and_who_has_lost_the_connection() -> None:
    study = make.study()
    calling, lost = playing(study, station=3), playing(study, station=4)
    playing(study, station=5)
    assert "Nobody needs help now" in home(Role.PROCTOR)
    assert calling.session is not None
    call_proctor(calling.session)
    gone = now() - timedelta(seconds=30)
    Event.objects.create(session=lost.session, kind=EventKind.DISCONNECTED, server_time=gone)
    listed = section(Role.PROCTOR, "In the room now")
    assert listed.index("Station 3</a>") < listed.index("calls a proctor")
    assert listed.index("calls a proctor") < listed.index("Station 4</a>") < listed.index("connection lost")
    assert "Station 5" not in listed
    assert reverse("center:session", args=[calling.session.pk]) in listed
    answer_call(calling.session, staff(Role.PROCTOR))
    Event.objects.create(session=lost.session, kind=EventKind.CONNECTED, server_time=now())
    assert "Nobody needs help now" in home(Role.PROCTOR)


def test_connections_lost_within_half_a_minute_are_one_line_and_others_one_each() -> None:
    study = make.study(people=100)
    rooms = [playing(study, station=number) for number in range(1, 6)]
    came = now() - timedelta(minutes=9)
    for place, one in enumerate(rooms):
        gone = came + timedelta(seconds=60 * place)
        Event.objects.create(session=one.session, kind=EventKind.DISCONNECTED, server_time=gone)
    assert home(Role.PROCTOR).count("connection lost") == 5
    with free_of_triggers():
        Event.objects.filter(kind=EventKind.DISCONNECTED).update(server_time=came + timedelta(seconds=29))
    shown = home(Role.PROCTOR)
    assert "5 stations have lost their connection" in shown
    assert "connection lost" not in shown


def test_whoever_does_nothing_for_long_needs_help_and_whoever_has_just_come_does_not() -> None:
    study = make.study()
    for acts in ([4] * 150, [4]):  # two seconds an action: one until now, and one alone
        attempt = make.play(make.session(study), acts, None, minutes_ago=5)
        Event.objects.create(session=attempt.session, kind=EventKind.CONNECTED, server_time=now())
        if len(acts) > 1:
            assert "Nobody needs help now" in home(Role.PROCTOR)
    assert "no action" in section(Role.PROCTOR, "In the room now")


def test_a_proctor_sees_the_stations_at_which_nobody_is() -> None:
    ready = Station.objects.create(number=7, room="North", token_hash="a" * 64)
    Station.objects.create(number=8, room="North", token_hash="b" * 64)
    Station.objects.create(number=9001, room="Rehearsal", token_hash="c" * 64)
    Station.objects.create(number=9, room="North", token_hash="d" * 64)
    queries.store({ready.pk: "page"}, [])
    playing(make.study(), station=9)
    shown = section(Role.PROCTOR, "2 of 3 stations are idle")
    for label, number in (("Ready", 7), ("Not connected", 8)):
        assert f'{label}: <a href="{reverse("center:station", args=[number])}">{number}</a>.' in shown
    assert "9" not in shown.replace("/staff", "").split("idle")[-1]


def test_a_researcher_sees_new_results_and_where_all_of_them_are() -> None:
    study = make.study()
    counted = make.play(make.session(study), ENOUGH, Outcome.SESSION_OVER)
    short = make.play(make.session(study), [4] * 5, Outcome.GAVE_UP)
    excluded = make.play(make.session(study), ENOUGH, Outcome.GAVE_UP)
    assert excluded.session is not None
    Session.objects.filter(pk=excluded.session.pk).update(ended_at=now(), end_reason="time_over")
    excluded.session.refresh_from_db()
    decided(excluded.session, staff(Role.LEAD), DecisionKind.EXCLUDE_SESSION, "did_not_try")
    shown = section(Role.RESEARCHER, "The newest results")
    assert reverse("review:attempt", args=[counted.pk]) in shown
    for other in (short, excluded):
        assert f"{reverse('review:attempt', args=[other.pk])}?" not in shown
    (query,) = re.findall(rf'{reverse("review:attempts")}\?([^"]+)', shown)
    listed = signed_in(Role.RESEARCHER).get(f"{reverse('review:attempts')}?{unescape(query)}")
    assert "1 attempt that matches" in listed.content.decode()


def release(attempt: Attempt, number: int = 1) -> Release:
    """A release of the attempt's version as of two hours ago."""
    return Release.objects.create(
        version=attempt.version, environment=attempt.environment, number=number, rule_version="1", people=4,
        asked=10, levels=[], inputs_digest="0" * 64, released_at=now() - timedelta(hours=2),
    )  # fmt: skip


def test_a_researcher_sees_baselines_that_are_older_than_results_or_exclusions() -> None:
    study = make.study()
    old = make.play(make.session(study), ENOUGH, Outcome.GAVE_UP, minutes_ago=300)
    release(old)
    assert "newer results" not in home(Role.RESEARCHER)
    for acts in (ENOUGH, [4]):
        make.play(make.session(study), acts, Outcome.GAVE_UP, minutes_ago=30)
    assert "1 new result since" in section(Role.RESEARCHER, "1 baseline has newer results")
    assert old.session is not None
    Session.objects.filter(pk=old.session.pk).update(ended_at=now(), end_reason="time_over")
    old.session.refresh_from_db()
    decided(old.session, staff(Role.LEAD), DecisionKind.EXCLUDE_SESSION, "did_not_try")
    assert "1 new result, 1 exclusion since" in section(Role.RESEARCHER, "1 baseline has newer results")
    Release.objects.create(
        version=old.version, environment=old.environment, number=2, rule_version="1", people=4, asked=10,
        levels=[], inputs_digest="0" * 64, released_at=now(),
    )  # fmt: skip
    assert "newer results" not in home(Role.RESEARCHER)


def test_a_lead_sees_how_many_environments_wait_for_a_move() -> None:
    walk = make.environment()
    ready_inside(walk)
    told = "<strong>1</strong> environment waits for a move to another stage"
    assert told in home(Role.LEAD)
    Environment.objects.filter(pk=walk.pk).update(stage="external")
    assert told not in home(Role.LEAD)
    study = make.study(people=2)
    for _ in range(2):
        make.play(make.session(study), ENOUGH, Outcome.GAVE_UP)
    assert told in home(Role.LEAD), "0 of 2 solved it"


def crowd(count: int) -> None:
    """So many of each thing that a home may list."""
    version = make.environment().current
    assert version is not None
    for _ in range(count):
        study = make.study(name=f"Study {Study.objects.count()}", people=100)
        register(study, None, people=3, analysis="")
        attempt = make.play(make.session(study), ENOUGH, Outcome.GAVE_UP)
        call = make.play(make.session(study), [4], None).session
        assert call is not None
        call_proctor(call)
        day = {"starts_at": now(), "ends_at": now() + timedelta(hours=1), "created_at": now()}
        Slot.objects.create(study=study, capacity=5, **day)
        place = Station.objects.count() + 1
        Station.objects.create(number=place, room="North", token_hash=f"{place:064}")
        Qualification.objects.create(version=version, seed=1, steps=1, requested_at=now())
        release(attempt, Release.objects.count() + 1)
    Environment.objects.update(owner=staff(Role.DESIGNER))


def queries_of(role: Role) -> int:
    client = signed_in(role)
    client.get(HOME)  # results are brought up to date, and the process remembers them
    with CaptureQueriesContext(connection) as asked:
        assert client.get(HOME).status_code == 200
    assert sum('FROM "people_sameperson"' in one["sql"] for one in asked) <= 1, role
    return len(asked)


def test_homes_ask_the_database_no_more_often_when_there_is_more() -> None:
    crowd(1)
    few = {role: queries_of(role) for role in Role}
    crowd(2)
    assert {role: queries_of(role) for role in Role} == few
    assert max(few.values()) <= 90


def test_standings_of_many_studies_take_as_many_queries_as_of_one() -> None:
    for name in ("One", "Two", "Three"):
        study = make.study(name=name, people=2)
        register(study, None, people=1, analysis="")
        for _ in range(1 if name == "One" else 2):
            make.play(make.session(study), [2] * 31, Outcome.GAVE_UP)
    plain = make.study(name="Not registered")
    studies = list(Study.objects.order_by("pk"))
    newest_standings(studies)
    with CaptureQueriesContext(connection) as of_one:
        newest_standings(studies[:1])
    with CaptureQueriesContext(connection) as of_all:
        found = newest_standings(studies)
    assert len(of_all) == len(of_one)
    assert plain.pk not in found
    assert [len(found[study.pk].departures) for study in studies if study.pk in found] == [0, 1, 1]


def test_an_exclusion_counts_for_the_environment_that_it_is_about() -> None:
    session = make.session(make.study(pool=[make.environment("wk01"), make.environment("dp01")]))
    first, other = (make.play(session, ENOUGH, minutes_ago=300 - each) for each in (0, 9))
    release(first)
    release(other)
    rehearsed = make.play(make.session(make.study(rehearsal=True)), ENOUGH, minutes_ago=300)
    assert rehearsed.session is not None
    for one in (session, rehearsed.session):
        Session.objects.filter(pk=one.pk).update(ended_at=now(), end_reason="time_over")
        one.refresh_from_db()
    lead = staff(Role.LEAD)
    decided(session, lead, DecisionKind.EXCLUDE_ATTEMPT, "did_not_try", attempt_id=other.pk)
    decided(rehearsed.session, lead, DecisionKind.EXCLUDE_SESSION, "did_not_try")
    shown = section(Role.RESEARCHER, "1 baseline has newer results")
    assert f"{other.environment.code}" in shown
    assert "1 exclusion since" in shown
