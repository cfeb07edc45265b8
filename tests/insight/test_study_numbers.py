"""A study's numbers follow the report's definitions; positions are balanced."""

import re
from collections import Counter
from datetime import timedelta

import pytest
from django.urls import reverse

from playtest.center.same_records import link_records
from playtest.insight.pages.study.figures import efficiency_figure
from playtest.insight.pages.study.histograms import BARS
from playtest.insight.pages.study.links import StudyLinks
from playtest.insight.pages.study.order import met_last, order_figure, positions
from playtest.insight.pages.study.people import by_person, shares
from playtest.insight.pages.study.results import numbers, progress
from playtest.insight.paper.report.gathered import people_flow
from playtest.insight.paper.report.robustness import variants
from playtest.people.models import Participant
from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play.clock import now
from playtest.play.models import Attempt, Study
from playtest.play.sessions.attempts import open_next, set_first_frame
from playtest.play.sessions.services import create_session
from playtest.review.models import DecisionKind
from playtest.rules.attempt import Outcome
from tests import make
from tests.insight.test_environment_page import text
from tests.insight.up_to_date import results_of
from tests.live.games import WALK
from tests.review.cases import settled
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]


SOLVES = [*[2] * 14, *WALK]
"""wk01 in 32 actions, 14 of them into a wall."""
QUITS = [2] * 32


@pytest.fixture
def study() -> Study:
    return make.study()


def plays(study: Study, acts: list[int], minutes: float, person: Participant | None = None) -> Attempt:
    """Plays an attempt of this length that is solved or given up."""
    outcome = Outcome.COMPLETED if acts == SOLVES else Outcome.GAVE_UP
    seconds = minutes * 60 / len(acts)
    return make.play(make.session(study, person), acts, outcome, seconds_an_action=seconds)


def excludes(attempt: Attempt, from_seq: int | None = None) -> None:
    kind = DecisionKind.EXCLUDE_FROM if from_seq else DecisionKind.EXCLUDE_ATTEMPT
    settled(attempt.session, staff(Role.LEAD), kind, "disturbed", attempt_id=attempt.pk, from_seq=from_seq)


@pytest.mark.services
def test_numbers_count_attempts_by_the_rule_and_show_begun_attempts(study: Study) -> None:
    for acts, minutes in ((SOLVES, 8), (SOLVES, 9), (QUITS, 4), (QUITS, 20), (QUITS, 25)):
        plays(study, acts, minutes)
    plays(study, QUITS, 30)  # not less than 30 minutes
    plays(study, [2] * 30, 5)  # not more than 30 actions
    make.play(make.session(study), QUITS, Outcome.FAULT)
    make.play(make.session(study), QUITS, None)
    create_session(study, new_participant(), None)
    found = numbers(results_of(study))
    assert (found.people, found.people_begun) == (5, 9)
    assert (found.attempts, found.begun, found.in_progress, found.sessions) == (5, 9, 1, 9)
    assert (found.environments, found.environments_begun, found.solved) == (1, 1, 2)
    assert found.hours == pytest.approx(66 / 60)
    assert found.duration.minutes == pytest.approx(9)
    assert found.solved_duration.minutes == pytest.approx(8.5)  # the ordinary median
    assert found.unsolved_duration.minutes == pytest.approx(20)
    assert found.short_unsolved_duration.minutes == pytest.approx(4)
    assert (found.unsolved_duration.attempts, found.short_unsolved_duration.attempts) == (3, 1)
    assert found.per_session == pytest.approx(5 / 9)
    assert found.level_completions == 12


def test_a_study_without_attempts_has_numbers(study: Study) -> None:
    found = numbers(results_of(study))
    assert (found.people, found.attempts, found.hours, found.duration.minutes) == (0, 0, 0.0, None)
    assert found.per_session is None
    empty = shares(results_of(study))
    assert (empty.of_people, empty.of_environments, empty.environments) == (None, None, 0)


def test_attempts_that_the_sessions_end_cut_short_are_in_no_rate(study: Study) -> None:
    for acts in (SOLVES, SOLVES, QUITS):
        plays(study, acts, 8)
    make.play(make.session(study), QUITS, Outcome.SESSION_OVER)
    results = results_of(study)
    found = numbers(results)
    assert (found.attempts, found.solved, found.cut_short) == (4, 2, 1)
    assert found.success is not None
    assert found.success.value == pytest.approx(2 / 3)
    assert found.success.results == 3
    assert by_person(results).height == 3
    published, failed, *_ = variants(results)
    assert [one.success and round(one.success.value, 2) for one in (published, failed)] == [0.67, 0.5]


def test_merged_records_are_one_person_in_every_count_and_mean(study: Study) -> None:
    other = make.study("ck01")
    first = plays(study, SOLVES, 8)
    study.pool.add(*other.pool.all())
    second = make.play(make.session(study), [*[0] * 40], Outcome.GAVE_UP)
    assert numbers(results_of(study)).people == 2
    link_records(second.participant, first.participant.label, "the desk knows", staff(Role.PROCTOR))
    results = results_of(study)
    assert (numbers(results).people, people_flow(results).recruited) == (1, 1)
    assert set(results.counted["participant"]) == {first.participant.label}


def test_excluded_results_are_left_out_unless_requested(study: Study) -> None:
    plays(study, SOLVES, 8)
    excludes(plays(study, QUITS, 4))
    found, with_it = (numbers(results_of(study, with_excluded=asked)) for asked in (False, True))
    assert (found.attempts, with_it.attempts, found.sessions, with_it.sessions) == (1, 2, 1, 2)
    assert {(one.people_begun, one.begun, one.begun_per_session) for one in (found, with_it)} == {(2, 2, 1)}
    assert found.duration.minutes == pytest.approx(8)
    assert with_it.duration.minutes == pytest.approx(6)
    said = results_of(study).population
    assert (said.excluded, said.excluded_in_part) == (1, 0)
    (row,) = progress(results_of(study))
    assert (row.counted, row.excluded, row.solved) == (1, 1, 1)


def test_a_partly_excluded_attempt_counts_what_is_left_and_has_no_outcome(study: Study) -> None:
    excludes(plays(study, SOLVES, 8), from_seq=32)  # 31 actions and five levels are left
    excludes(plays(study, SOLVES, 8), from_seq=31)
    results = results_of(study)
    found = numbers(results)
    assert (found.attempts, found.begun, found.solved, found.level_completions) == (1, 2, 0, 10)
    assert (found.hours, found.duration.minutes, found.duration.attempts) == (0.0, None, 0)
    assert by_person(results).height == 0
    assert (results.population.excluded, results.population.excluded_in_part) == (0, 2)
    assert numbers(results_of(study, with_excluded=True)).solved == 2


def test_progress_lists_the_pool_and_earlier_environments_with_attempts(study: Study) -> None:
    plays(study, SOLVES, 8)
    make.play(make.session(study), [4], None)
    study.pool.set([make.environment("ck01")])
    rows = {row.code: row for row in progress(results_of(study))}
    assert {code: row.in_pool for code, row in rows.items()} == {"ck01": True, "wk01": False}
    assert (rows["wk01"].counted, rows["wk01"].in_progress, rows["wk01"].solved) == (1, 1, 1)
    assert (rows["ck01"].counted, rows["ck01"].in_progress) == (0, 0)


def test_efficiency_is_the_upper_median_of_a_level_divided_by_the_actions(study: Study) -> None:
    for wasted in (0, 1, 3, 9):
        make.play(make.session(study), [*[2] * wasted, *WALK[:4]])  # level 1 in 3, 4, 6 and 12
    results = results_of(study)
    assert results.completions["efficiency"].to_list() == [2, 1.5, 1, 0.5]
    assert BARS["efficiency"].in_bar(results, 10)["actions"].to_list() == [3]
    assert BARS["efficiency"].in_bar(results, 5)["actions"].to_list() == [6]
    assert BARS["efficiency"].in_bar(results, 3).is_empty()
    assert "efficiency = human baseline / actions" in caption(study)


def test_shares_count_each_environment_and_each_person_once(study: Study) -> None:
    person, (walk,) = new_participant(), study.pool.all()
    plays(study, SOLVES, 8, person)
    study.pool.set([make.environment("ck01")])
    make.play(make.session(study, person), [0] * 32, seconds_an_action=12 * 60 / 32)
    study.pool.set([walk])
    plays(study, QUITS, 8)
    plays(study, SOLVES, 8)
    results = results_of(study)
    found = shares(results)
    assert found.of_people is not None
    assert found.of_environments is not None
    assert found.of_people.value == pytest.approx(1 / 3)  # 2 of 3, and 0 of 1
    assert found.of_environments.value == pytest.approx(1 / 2)  # 1 of 2, 0 of 1, 1 of 1
    assert (found.environments, found.people, found.solved_by_enough, found.solvers) == (2, 3, 1, 2)
    speeds = dict(by_person(results).select("participant", "speed").iter_rows())
    assert speeds[person.label] == pytest.approx(1 / 20)
    html = signed_in(Role.RESEARCHER).get(reverse("insight:study", args=[study.pk])).content.decode()
    assert "s people<small>mean of 2</small>" in html
    assert "<dd>33 % <small>0 to 99 %</small></dd>" in html


def test_a_bar_of_minutes_includes_its_start_and_excludes_its_end(study: Study) -> None:
    for minutes in (2, 3.9, 4):
        plays(study, QUITS, minutes)
    plays(study, SOLVES, 3)
    results = results_of(study)
    assert BARS["time"].in_bar(results, 1, "not solved")["minutes"].round(1).to_list() == [2, 3.9]
    assert BARS["time"].in_bar(results, 1, "solved")["minutes"].round(1).to_list() == [3]


def test_a_person_counts_with_the_median_of_their_attempts() -> None:
    study, person = make.study(), new_participant()
    study.pool.add(make.environment("ck01"))
    session = make.session(study, person)
    for seconds in (2, 4):
        make.play(session, [0] * 32, seconds_an_action=seconds)
    (row,) = by_person(results_of(study)).to_dicts()
    assert row == {
        "under_review": False,
        "participant": person.label, "sessions": [session.pk], "attempts": 2, "solved": 0,
        "share": 0.0, "speed": 0.0, "pace": pytest.approx(3),
    }  # fmt: skip


def test_both_counts_of_under_thirty_minutes_are_shown() -> None:
    """Two of four ended at the limit; one count includes them and the other does not."""
    study = make.study(people=10)
    for minutes, outcome in ((4, Outcome.COMPLETED), (8, Outcome.GAVE_UP)):
        acts = [*[2] * 31, *WALK] if outcome == Outcome.COMPLETED else [2] * 40
        apart = 60 * minutes / len(acts)
        make.play(make.session(study), acts, outcome, seconds_an_action=apart)
    for _ in range(2):
        make.play(make.session(study), [2] * 40, Outcome.TIMED_OUT, seconds_an_action=44)
    results = results_of(study)
    found = numbers(results)
    assert (found.attempts, found.cut_off) == (4, 2)
    assert found.duration.minutes == pytest.approx((8 + 40 * 44 / 60) / 2)
    with_them, *others = variants(results)
    without = next(one for one in others if one.name == "without attempts that the hard limit ended")
    assert [one.success and round(one.success.value, 2) for one in (with_them, without)] == [0.25, 0.5]
    shown = signed_in(Role.DESIGNER).get(reverse("insight:study", args=[study.pk])).content.decode()
    assert "The hard limit ended 2 of 4 attempts" in re.sub(r"\s+", " ", shown)
    assert "$115.00 a session and $5.00 for each environment" in shown
    environment = signed_in(Role.DESIGNER).get("/staff/environments/wk01/baseline/").content.decode()
    assert "2 of these attempts were ended by the hard limit" in environment
    assert "Without them: Of the 2 so far, 1 completed all levels" in environment


def caption(study: Study) -> str:
    results = results_of(study)
    return efficiency_figure(results, numbers(results), StudyLinks(study, results.scope)).caption


STALL = [2] * 31


@pytest.fixture
def ordered() -> Study:
    return make.study(pool=[make.environment("wk01"), make.environment("rn01")], people=100)


def test_each_environment_is_met_equally_often_at_each_position(ordered: Study) -> None:
    for _ in range(6):
        session = make.session(ordered)
        for _ in range(2):
            make.play(session, STALL)
    met = Counter(Attempt.objects.values_list("environment__code", "number"))
    assert met == {("wk01", 1): 3, ("wk01", 2): 3, ("rn01", 1): 3, ("rn01", 2): 3}


def test_results_are_shown_by_position_beside_what_the_environments_let_expect(ordered: Study) -> None:
    for _ in range(4):
        session = make.session(ordered)
        for position in (1, 2):
            attempt, began = open_next(session), now() - timedelta(minutes=5 - position)
            assert attempt is not None
            set_first_frame(attempt.pk, began)
            solves = attempt.environment.code == "wk01" and position == 2
            acts, outcome = ([*STALL, *WALK], Outcome.COMPLETED) if solves else (STALL, Outcome.GAVE_UP)
            make.record(attempt, acts, outcome, began, 2)
    results = results_of(ordered)
    table = positions(results)
    assert table["met"].to_list() == [2] * 8
    links = StudyLinks(ordered, results.scope, may_watch=True, may_review=True)
    first, second = order_figure(results, numbers(results), links).rows
    assert (first[0], first[4], first[5]) == ("1", 0, 4)
    assert (second[0], second[4], second[5]) == ("2", 2, 4)
    assert first[6] == second[6] == 25
    assert first[7] is None
    assert second[7] == 100


def test_an_environment_that_is_mostly_met_last_is_named_on_the_page(ordered: Study) -> None:
    client, page = signed_in(Role.RESEARCHER), reverse("insight:study", args=[ordered.pk])
    wk01, rn01 = (make.environment(code) for code in ("wk01", "rn01"))
    for number in range(4):
        assert "Mostly met last" not in text(client, page), number
        session = make.session(ordered)
        for environment in (rn01, wk01):
            ordered.pool.set([environment])
            make.play(session, STALL)
    (one,) = met_last(results_of(ordered))
    assert (one.environment, one.people, one.last) == ("wk01", 4, 4)
    assert "may have changed their results: wk01 (4 of 4)." in text(client, page)
