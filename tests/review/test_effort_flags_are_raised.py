"""Flags come from the journal while the session runs, reach the wall, and repeat."""

from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.forms.models import model_to_dict
from django.test.utils import CaptureQueriesContext

from playtest.people.services import new_participant
from playtest.play.models import Attempt, Event, EventKind, Session, Study
from playtest.review.models import Assessment, Flag, Strength
from playtest.review.queries.effort import due_sessions
from playtest.review.services.effort import assess
from playtest.review.tasks.effort import flag_effort
from playtest.rules.attempt import Outcome
from playtest.rules.effort.evidence import Strength as RuleStrength
from playtest.rules.effort.thresholds import RULE_VERSION
from playtest.studio.models import RecordingKind
from tests import make
from tests.review import cases
from tests.studio.versions import record

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def study() -> Study:
    return cases.study_with_people()


def rows(*, keys: bool) -> list[dict[str, Any]]:
    return [
        model_to_dict(flag, exclude=[] if keys else ["id", "judged_at"])
        for flag in Flag.objects.order_by("session", "rule")
    ]


def test_a_running_session_is_flagged_soon_after_an_attempt_ends(study: Study) -> None:
    session = make.session(study)
    make.play(session, cases.INTO_THE_WALL, seconds_an_action=0.05)
    assert session.ended_at is None
    flag_effort()
    assert cases.rules(session) == {"no_ops", "repeats", "pattern", "fast"}


def test_who_tries_and_fails_is_not_flagged(study: Study) -> None:
    flag_effort()
    assert not Flag.objects.exists()


def test_levels_are_compared_with_the_fewest_actions_that_recordings_know() -> None:
    study = make.study(effort={"known_least_actions": 3, "known_least_levels": 3})
    for _ in range(2):
        make.play(make.session(study), cases.TRIED, minutes_ago=30)
    session = make.session(study)
    played = make.play(session, cases.THREE_LEVELS)
    assert "solution_known" not in cases.rules(cases.looked_at(session))
    record(played.version, RecordingKind.WIN, cases.THREE_LEVELS, [number // 3 for number in range(10)])
    flag = next(one for one in cases.found(cases.looked_at(session)) if one.rule == "solution_known")
    assert (flag.strength, flag.figures["levels"], flag.figures["of"]) == ("strong", 3, 3)


@pytest.mark.parametrize("how", [{"outcome": None}, {"outcome": Outcome.FAULT, "fault_code": "bad_frame"}])
def test_an_open_attempt_and_an_environments_fault_flag_nobody(study: Study, how: dict[str, Any]) -> None:
    session = make.session(study)
    make.play(session, cases.INTO_THE_WALL, seconds_an_action=0.05, **how)
    flag_effort()
    assert cases.rules(session) == set()


def test_a_flag_says_what_it_saw_and_where(study: Study) -> None:
    session = cases.hasty(study)
    attempt = session.attempts.get()
    flag = next(flag for flag in cases.found(session) if flag.rule == "no_ops")
    assert flag.attempt == attempt
    assert flag.strength == Strength.REVIEW
    assert flag.rule_version == RULE_VERSION
    assert flag.raised_at == attempt.ended_at
    assert flag.figures["no_ops"] == flag.figures["actions"] == 40
    assert flag.figures["moments"] == [[attempt.pk, 1]]
    assert flag.sentence.startswith("On level 1 of environment 1, 100 % of 40 actions changed nothing")


def test_strengths_are_those_of_the_rules() -> None:
    assert set(Strength.values) == {strength.value for strength in RuleStrength}


def test_computed_again_the_same_rows_stay(study: Study) -> None:
    session = cases.hasty(study)
    before = rows(keys=True)
    assess([session])
    assert rows(keys=True) == before


@pytest.mark.services
def test_sessions_are_due_when_an_attempt_has_ended_since(study: Study) -> None:
    flag_effort()
    assert not due_sessions().exists()
    session = make.session(study)
    assert not due_sessions().exists()
    make.play(session, [4])
    assert list(due_sessions()) == [session]
    flag_effort()
    assert not due_sessions().exists()


def test_an_older_assessment_does_not_replace_a_newer_one(study: Study) -> None:
    session = cases.hasty(study)
    Assessment.objects.filter(session=session).update(attempts=2)
    Flag.objects.filter(session=session, rule="fast").delete()
    assess([Session.objects.get(pk=session.pk)])
    assert cases.rules(session) == {"no_ops", "repeats", "pattern"}


def test_simulated_people_are_flagged_and_nobodys_norm(study: Study) -> None:
    for _ in range(5):
        cases.hasty(study, new_participant(simulated=True))
    assert Flag.objects.filter(session__participant__simulated=True, rule="no_ops").count() == 5
    assert "no_ops" in cases.rules(cases.hasty(study))


def test_a_rehearsal_is_compared_with_itself(study: Study) -> None:
    rehearsal = make.study(rehearsal=True)
    assert "no_ops" not in cases.rules(cases.hasty(rehearsal))


def test_leaving_everything_at_once_is_strong() -> None:
    session = cases.one_cycler()
    assert {flag.rule: flag.strength for flag in cases.found(session)} == {
        "response_time": Strength.STRONG,
        "cycling": Strength.REVIEW,
    }
    assert [flag.attempt for flag in cases.found(session)] == [None, None]


def see(attempt: Attempt, kind: EventKind, seconds: float) -> None:
    assert attempt.first_frame_at is not None
    at = attempt.first_frame_at + timedelta(seconds=seconds)
    Event.objects.create(session=attempt.session, kind=kind, server_time=at)


@pytest.mark.parametrize(
    ("happened", "seconds"),
    [
        ([(EventKind.WINDOW_BLURRED, 10), (EventKind.PAGE_HIDDEN, 20), (EventKind.PAGE_SHOWN, 30)], 71.0),
        ([(EventKind.PAGE_HIDDEN, -60), (EventKind.PAGE_SHOWN, 20)], 20.0),
        ([(EventKind.PAGE_HIDDEN, 40), (EventKind.CONNECTED, 60)], 20.0),
        ([(EventKind.PAGE_HIDDEN, -60), (EventKind.PAGE_SHOWN, -1)], None),
    ],
    ids=["both, never back", "since before", "until a new page", "earlier only"],
)
def test_the_page_out_of_sight_is_noted(
    study: Study, happened: list[tuple[EventKind, float]], seconds: float | None
) -> None:
    session = make.session(study)
    attempt = make.play(session, cases.TO_AND_FRO, minutes_ago=10)  # 81 seconds to its end
    for kind, at in happened:
        see(attempt, kind, at)
    assess([session])
    notes = [flag.figures["seconds"] for flag in cases.found(session) if flag.strength == Strength.NOTE]
    assert notes == ([] if seconds is None else [pytest.approx(seconds)])


def test_who_was_cut_off_is_not_idle(study: Study) -> None:
    session = make.session(study)
    attempt = make.play(session, [4, 3, 4], seconds_an_action=100, minutes_ago=10)
    see(attempt, EventKind.DISCONNECTED, 10)
    see(attempt, EventKind.CONNECTED, 60)
    see(attempt, EventKind.DISCONNECTED, 110)
    assess([session])
    assert "idle" in cases.rules(session), "the third pause is longer than a minute"
    see(attempt, EventKind.CONNECTED, 160)
    see(attempt, EventKind.DISCONNECTED, 210)
    see(attempt, EventKind.CONNECTED, 260)
    assess([session])
    assert "idle" not in cases.rules(session)


def test_more_attempts_take_no_more_queries(study: Study) -> None:
    session = Session.objects.select_related("study").get(pk=cases.hasty(study).pk)
    with CaptureQueriesContext(connection) as few:
        assess([session])
    for _ in range(4):
        make.play(make.session(study), cases.TO_AND_FRO)
    with CaptureQueriesContext(connection) as many:
        assess([session])
    assert len(many) <= len(few) + 1, "one to mend a figure"


def test_the_command_can_be_limited_to_one_study(study: Study) -> None:
    session = cases.hasty(study)
    Flag.objects.all().delete()
    call_command("flag_effort", "--study", make.study().name, stdout=StringIO())
    assert cases.rules(session) == set()
    call_command("flag_effort", "--study", study.name, stdout=StringIO())
    assert cases.rules(session) == {"no_ops", "repeats", "pattern", "fast"}


def test_the_command_refuses_invalid_options_with_a_code(study: Study) -> None:
    with pytest.raises(CommandError, match=r"^study_unknown: "):
        call_command("flag_effort", "--study", "none")
