"""The list of attempts narrowed to what became of a level, to a version, to real people."""

import pytest
from django.test import Client

from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play.models import Attempt, Study
from playtest.review.models import DecisionKind
from playtest.rules.attempt import Outcome
from playtest.studio.models import Version
from tests import make
from tests.live.games import WALK
from tests.review.cases import settled
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def researcher() -> Client:
    return signed_in(Role.RESEARCHER)


@pytest.fixture
def study() -> Study:
    return make.study()


def listed(client: Client, **query: str | int) -> set[int]:
    answer = client.get("/staff/attempts/", query)
    assert answer.status_code == 200
    return {attempt.pk for attempt, *_ in answer.context["rows"]}


def plays(study: Study, actions: list[int], outcome: Outcome | None = Outcome.GAVE_UP) -> Attempt:
    return make.play(make.session(study), actions, outcome)


def test_a_level_has_the_outcome_of_its_attempt(researcher: Client, study: Study) -> None:
    solved = plays(study, WALK, Outcome.COMPLETED).pk
    left = plays(study, WALK[:4]).pk
    cut_off = plays(study, WALK[:5], Outcome.TIMED_OUT).pk
    playing = plays(study, WALK[:6], None).pk
    assert listed(researcher, level=1) == {solved, left, cut_off, playing}
    assert listed(researcher, level=3, there="reached") == {solved, playing}
    assert listed(researcher, level=2, there="completed") == {solved, playing}
    assert listed(researcher, level=6, there="completed") == {solved}
    assert listed(researcher, level=2, there="stopped") == {left, cut_off}
    assert listed(researcher, level=2, there="stopped", outcome="gave_up") == {left}
    assert listed(researcher, level=2, there="stopped", outcome="lost") == {left, cut_off}
    assert listed(researcher, level=3, there="stopped", outcome="in_progress") == {playing}
    assert listed(researcher, level=6, there="stopped") == set()
    assert listed(researcher, level="x", there="completed") == {solved, left, cut_off, playing}


def test_of_what_is_left_out_from_a_moment_on_the_levels_before_are_known(
    researcher: Client, study: Study
) -> None:
    attempt = plays(study, WALK[:8])
    settled(
        attempt.session, staff(Role.LEAD), DecisionKind.EXCLUDE_FROM, "disturbed",
        attempt_id=attempt.pk, from_seq=5,
    )  # fmt: skip
    everyone: dict[str, str | int] = {"level": 3, "there": "stopped"}
    assert listed(researcher, **everyone) == {attempt.pk}
    assert listed(researcher, **everyone, excluded="honoured") == set()
    assert listed(researcher, level=2, there="reached", excluded="honoured") == set()
    assert listed(researcher, level=1, there="completed", excluded="honoured") == {attempt.pk}
    assert listed(researcher, excluded="no") == set()


def test_what_is_left_out_as_a_whole_is_in_no_result(researcher: Client, study: Study) -> None:
    attempt = plays(study, WALK[:8])
    settled(attempt.session, staff(Role.LEAD), DecisionKind.EXCLUDE_SESSION, "did_not_try")
    assert listed(researcher, level=1) == {attempt.pk}
    assert listed(researcher, level=1, excluded="honoured") == set()


def test_real_people_and_rehearsals_apart(researcher: Client, study: Study) -> None:
    real = plays(study, [4]).pk
    simulated = make.play(make.session(study, new_participant(simulated=True)), [4]).pk
    rehearsed = plays(make.study(rehearsal=True), [4]).pk
    assert listed(researcher, people="real") == {real}
    assert listed(researcher, people="rehearsing") == {simulated, rehearsed}
    assert listed(researcher, people="x") == {real, simulated, rehearsed}


def test_the_list_can_be_limited_to_a_version_of_the_chosen_environment(
    researcher: Client, study: Study
) -> None:
    old = plays(study, [4])
    version = Version.objects.get(pk=old.version_id)
    version.pk, version.digest = None, "f" * 64
    version.save()
    version.environment.current = version
    version.environment.save()
    new = plays(study, [4])
    code = old.environment_id
    assert listed(researcher, environment=code) == {old.pk, new.pk}
    assert listed(researcher, environment=code, version=old.version_id) == {old.pk}
    assert listed(researcher, environment=code, version=new.version_id) == {new.pk}
    page = researcher.get("/staff/attempts/", {"environment": code}).content.decode()
    assert "ffffffff, " in page
