"""The gates of the pipeline ask for what they say, of environments and of tasks."""

import pytest
from django.urls import reverse

from playtest.insight.scope import EVERYONE, Scope
from playtest.insight.services.pipeline import move
from playtest.insight.tables.acceptance import counted_people, evidence, verdicts
from playtest.insight.tables.results import attempts
from playtest.jobs.models import JobStatus
from playtest.people.models import Staff
from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Attempt, Study
from playtest.play.sessions.quota import candidates
from playtest.play.sessions.studies import change_study
from playtest.review.models import DecisionKind
from playtest.rules.acceptance import Gate
from playtest.rules.attempt import Outcome
from playtest.rules.pipeline import Stage
from playtest.studio.models import Environment, Exploration, Qualification, ReleaseSet
from playtest.studio.services.catalogue import describe
from tests import make
from tests.insight.stages import (
    card,
    newer_version,
    played_by_the_team,
    qualify,
    ready_inside,
    record,
    search,
    tried,
)
from tests.insight.up_to_date import up_to_date, version_of
from tests.live.games import WALK
from tests.make import Act, verdict
from tests.make_tasks import play_task, play_task_internally, small_task, solved
from tests.review.cases import settled
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]


ENOUGH: list[Act] = [2] * 31
"""Steps into the wall: with these, an attempt counts whatever else it holds."""


@pytest.fixture
def study() -> Study:
    return make.study()


def tries(study: Study, acts: list[int], outcome: Outcome = Outcome.GAVE_UP, **who: object) -> Attempt:
    return make.play(make.session(study, **who), [*ENOUGH, *acts], outcome)  # type: ignore[arg-type]


def solves(study: Study, **who: object) -> Attempt:
    return tries(study, WALK, Outcome.COMPLETED, **who)


def people_and_solvers() -> tuple[int, int]:
    found = verdict(Environment.objects.get(code="wk01"))
    return found.people, found.solvers


def test_the_gate_counts_people_by_the_protocol(study: Study) -> None:
    assert people_and_solvers() == (0, 0)
    solves(study)
    tries(study, [4])
    assert people_and_solvers() == (2, 1)
    make.play(make.session(study), WALK, Outcome.COMPLETED)  # 18 actions
    make.play(make.session(study), [*ENOUGH, 4], seconds_an_action=60)  # over half an hour
    make.play(make.session(study), [*ENOUGH, 4], None)  # still playing
    tries(study, [4], Outcome.FAULT)
    solves(study, person=new_participant(simulated=True))
    rehearsal = make.study(rehearsal=True)
    solves(rehearsal)
    assert people_and_solvers() == (2, 1)
    in_rehearsal = evidence(version_of(), Scope(rehearsal)).verdict
    assert (in_rehearsal.people, in_rehearsal.solvers) == (1, 1)


def test_who_was_cut_short_neither_passes_nor_fails_and_another_person_is_asked(study: Study) -> None:
    solves(study)
    for outcome in (Outcome.SESSION_OVER, Outcome.ENDED_BY_STAFF):
        tries(study, [4], outcome)
    assert people_and_solvers() == (1, 1)
    assert [one.people for one in candidates(study)] == [1]
    up_to_date()
    judged = evidence(version_of()).verdict
    assert (judged.people, judged.solvers) == (1, 1)


@pytest.mark.services
def test_excluded_people_do_not_count(study: Study) -> None:
    lead, out, cut, cut_early = staff(Role.LEAD), solves(study), solves(study), solves(study)
    settled(out.session, lead, DecisionKind.EXCLUDE_SESSION, "did_not_try")
    assert people_and_solvers() == (2, 2)
    for attempt, moment in ((cut, 32), (cut_early, 31)):
        settled(
            attempt.session,
            lead,
            DecisionKind.EXCLUDE_FROM,
            "disturbed",
            attempt_id=attempt.pk,
            from_seq=moment,
        )
    assert people_and_solvers() == (1, 0)  # 31 actions are left of the one, 30 of the other
    everyone = evidence(version_of(), Scope(with_excluded=True)).verdict
    assert (everyone.people, everyone.solvers) == (3, 3)


def test_many_environments_are_judged_at_once(study: Study) -> None:
    solves(study)
    other = make.environment("ck01")
    bare = Environment.objects.create(code="no01")
    walk = Environment.objects.get(code="wk01")
    found = verdicts([walk, other, bare])
    assert {pk: judged.people for pk, judged in found.items()} == {walk.pk: 1, other.pk: 0, bare.pk: 0}


def test_the_developer_sees_where_people_stopped_and_three_replays(study: Study) -> None:
    tries(study, WALK[:3], Outcome.SESSION_OVER)
    quick = tries(study, WALK[:3])
    typical = tries(study, [*WALK[:3], 1, 2, 1])
    slow = tries(study, [*WALK[:3], *[1, 2] * 6])
    tries(study, [*WALK[:3], *[1, 2] * 9], Outcome.TIMED_OUT)
    furthest = tries(study, WALK[:10])
    solves(study)
    found = evidence(version_of())
    assert found.verdict.gate is Gate.NEEDS_PEOPLE
    assert [(replay.attempt_id, replay.level, replay.why) for replay in found.replays] == [
        (furthest.pk, 4, "Furthest without solving it: 1 action on level 4."),
        (slow.pk, 2, "Typical of the 4 lost on level 2: 12 actions."),
        (quick.pk, 2, "Quickest to quit level 2: after 0 actions."),
    ]
    settled(slow.session, staff(Role.LEAD), DecisionKind.EXCLUDE_SESSION, "did_not_try")
    assert evidence(version_of()).replays[1].attempt_id == typical.pk


def test_the_page_shows_the_verdict_and_links_replays_for_those_with_the_right(study: Study) -> None:
    attempt = tries(study, WALK[:4])
    address = reverse("insight:baseline", args=["wk01"])
    page = signed_in(Role.DESIGNER).get(address).content.decode()
    assert "Easy for humans: needs 9 more people" in page
    assert "Furthest without solving it: 1 action on level 2." in page
    assert f'href="{reverse("review:attempt", args=[attempt.pk])}#level=2"' in page
    assert "/staff/attempts/" not in signed_in(Role.ENGINEER).get(address).content.decode()


def test_the_gate_requires_as_many_people_as_the_quota(study: Study) -> None:
    """The quota is full at the same number of people at which the gate decides."""
    environment = Environment.objects.get(code="wk01")
    few = Study.objects.get(pk=study.pk)
    make.change(few, people=3)
    for _ in range(2):
        solves(study)
    found = verdict(environment)
    assert (found.gate, found.people, found.more) == (Gate.NEEDS_PEOPLE, 2, 1)
    tries(study, [4])
    assert (verdict(environment).gate, verdict(environment).people) == (Gate.PASSED, 3)
    assert evidence(version_of()).verdict == verdict(environment)
    (candidate,) = candidates(few)
    assert (candidate.people, few.protocol.acceptance.people) == (3, 3), "the quota is full, too"
    other = make.study(people=5)
    assert (verdict(environment).gate, verdict(environment).more) == (Gate.NEEDS_PEOPLE, 2)
    assert evidence(version_of(), Scope(few)).verdict.gate == Gate.PASSED
    make.study(people=9, rehearsal=True)
    assert verdict(environment).more == 2, "a rehearsal asks for nobody"
    change_study(other, pool=[make.as_external(make.environment("rn01"))])
    assert verdict(environment).gate == Gate.PASSED


def test_quota_and_gate_count_the_same_people(study: Study) -> None:
    """Quota, gate and the tables of pages count the same attempts."""
    environment = Environment.objects.get(code="wk01")
    solved, cut, out = solves(study), tries(study, [4]), tries(study, [4])
    tries(study, [4], Outcome.FAULT)
    make.play(make.session(study), [2] * 30)
    make.play(make.session(study), [2] * 32, seconds_an_action=60)
    lead = staff(Role.LEAD)
    settled(cut.session, lead, DecisionKind.EXCLUDE_FROM, "disturbed", attempt_id=cut.pk, from_seq=32)
    settled(out.session, lead, DecisionKind.EXCLUDE_SESSION, "did_not_try")
    (candidate,) = candidates(study)
    up_to_date()
    tables = counted_people(attempts(EVERYONE, [environment]), EVERYONE)
    assert sorted(tables["attempt"]) == [solved.pk, cut.pk]
    assert (candidate.counted, verdict(environment).people) == (2, 2)
    assert verdict(environment).solvers == 1


@pytest.fixture
def walk() -> Environment:
    return make.environment()


def test_the_gate_requires_a_full_qualification_of_the_current_version(walk: Environment) -> None:
    ready_inside(walk)
    move(walk, "internal", None, "")
    played_by_the_team(walk)
    for level in range(2, 7):
        search(walk, level, 0.00001)
    assert card().blocks == ("It needs a full qualification.",)
    qualify(walk, full=False)
    assert card().blocks == ("It needs a full qualification.",)
    qualify(walk, passed=False)
    assert card().blocks == ("The latest full qualification did not pass.",)
    qualify(walk)
    assert card().blocks == ()
    newer_version(walk)
    assert card().blocks[0].startswith("2 of the team who do not own it have to play this version")
    assert card().blocks[1] == "It needs a full qualification."
    assert card().blocks[2].startswith("Level 2: no win is known")
    assert card().blocks[2].endswith("Also not shown to be hard enough: levels 3, 4, 5, 6.")


def test_a_qualification_by_older_checks_must_be_repeated(walk: Environment) -> None:
    ready_inside(walk)
    move(walk, "internal", None, "")
    played_by_the_team(walk)
    for level in range(2, 7):
        search(walk, level, 0.00001)
    qualify(walk, rules=1)
    assert card().blocks == ("The full qualification passed by older rules. Qualify it again.",)
    assert walk.current is not None
    Qualification.objects.create(
        version=walk.current, seed=1, steps=1, status=JobStatus.DONE, full=True, passed=True,
        requested_at=now(),
    )  # fmt: skip
    assert card().blocks == ("The full qualification passed by older rules. Qualify it again.",)
    qualify(walk)
    assert card().blocks == ()


def test_levels_past_the_first_must_be_too_hard_for_a_random_player(walk: Environment) -> None:
    ready_inside(walk)
    move(walk, "internal", None, "")
    played_by_the_team(walk)
    qualify(walk)
    record(walk)
    search(walk, 1, 1.0)
    search(walk, 2, 0.0001)
    search(walk, 3, 1.0, within=0.00009)
    tried(walk, 4, 30_000)
    search(walk, 5, 0.001, within=0.001, lower=0.001)
    assert card().blocks[0].startswith("Level 5: a random player wins it within 15 actions with a chance of")
    Exploration.objects.filter(level=5).delete()
    search(walk, 5, 0.00005)
    tried(walk, 6, 12_400)
    assert card().blocks == (
        "Level 6: no win in 12,400 tries of 15 actions: at most 2.42 in 10,000 (95 %)."
        " More random play is needed.",
    )
    tried(walk, 6, 17_600, seed=2)
    made = move(walk, "external", None, "")
    levels = made.evidence["unguessable"]["data"]["levels"]
    assert levels["4"] == "no win in 30,000 tries of 15 actions: at most 1 in 10,000 (95 %)"
    assert "1" not in levels


def unmet(environment: Environment, to: Stage) -> str:
    with pytest.raises(Refusal) as refusal:
        move(environment, to, staff(Role.LEAD), "")
    assert refusal.value.code == "gate_unmet"
    return refusal.value.message


def test_a_task_goes_from_specification_to_a_set() -> None:
    lead, task = staff(Role.LEAD), small_task("task-1", [[7]])
    assert unmet(task, Stage.INTERNAL) == "It needs an owner."
    describe(task, title="", owner=lead, release_set=ReleaseSet.NONE, note="")
    move(task, Stage.INTERNAL, lead, "")
    assert "have to play this version" in unmet(task, Stage.EXTERNAL)
    for role in (Role.DESIGNER, Role.ENGINEER):
        play_task_internally(task, staff(role), solved(task))
    move(task, Stage.EXTERNAL, lead, "")
    study = make.study(pool=[task])
    play_task(make.session(study), solved(task))
    assert unmet(task, Stage.DONE)
    play_task(make.session(study), solved(task))
    made = move(task, Stage.DONE, lead, "")
    assert set(made.evidence) - {"acceptance"} == {"accepted", "distinct"}
    describe(task, title="", owner=lead, release_set=ReleaseSet.SEMI_PRIVATE, note="")
    task.refresh_from_db()
    assert (task.stage, task.release_set) == (Stage.DONE, ReleaseSet.SEMI_PRIVATE)
    assert isinstance(task.owner, Staff)
