"""A static task goes from specification to released in a set, by what its gates ask for."""

import pytest

from playtest.insight.services.pipeline import move
from playtest.people.models import Staff
from playtest.people.roles import Role
from playtest.play.errors import Refusal
from playtest.rules.pipeline import Stage
from playtest.studio.models import Environment, ReleaseSet
from playtest.studio.services.catalogue import describe
from tests import make
from tests.make_tasks import play_task, play_task_internally, small_task, solved
from tests.staff import staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]


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
