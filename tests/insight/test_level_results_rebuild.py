"""Level results and summaries can be rebuilt from the journal with the same values."""

from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from playtest.insight.compute.results import bring_up_to_date
from playtest.insight.models import LevelResult, Summary
from playtest.play.models import Attempt, Study
from tests import make
from tests.make import play, study

pytestmark = pytest.mark.django_db


def rebuild(*arguments: str) -> list[str]:
    said = StringIO()
    call_command("rebuild", *arguments, stdout=said)
    return said.getvalue().splitlines()


def stored() -> list[dict[str, Any]]:
    """Returns all level results and how far each attempt was read."""
    levels = LevelResult.objects.order_by("attempt", "level").values()
    summaries = Summary.objects.order_by("attempt").values("attempt", "through_seq")
    return [*({**row, "id": None} for row in levels), *map(dict, summaries)]


@pytest.fixture
def campaign() -> Study:
    return study()


def test_a_rebuild_restores_the_summary_of_an_attempt_from_its_journal(campaign: Study) -> None:
    attempt = play(make.session(campaign), [4, 4, 4, 2])
    spoilt: list[dict[str, Any]] = [{"actions": 99}, {"levels_completed": 5}, {"last_action_at": None}]
    for fields in spoilt:
        Attempt.objects.filter(pk=attempt.pk).update(**fields)
        assert rebuild()[0] == "1 attempts corrected"
        again = Attempt.objects.get(pk=attempt.pk)
        assert (again.actions, again.levels_completed) == (4, 1)
        assert again.last_action_at == attempt.last_action_at
    assert rebuild()[:2] == ["0 attempts corrected", "2 level results of 1 attempts computed"]


@pytest.mark.once
def test_a_rebuild_deletes_level_results_without_a_journal(campaign: Study) -> None:
    attempt = play(make.session(campaign), [4, 4, 4])
    bring_up_to_date(Attempt.objects.all())
    before = stored()
    spurious = LevelResult.objects.get(level=2)
    spurious.pk, spurious.level = None, 9
    spurious.save()
    rebuild()
    assert stored() == before
    assert LevelResult.objects.filter(attempt=attempt).count() == 2


@pytest.mark.once
def test_a_rebuild_can_be_limited_to_one_study(campaign: Study) -> None:
    one, other = (play(make.session(campaign), [4, 4]) for campaign in (campaign, study()))
    bring_up_to_date(Attempt.objects.all())
    LevelResult.objects.update(actions=99)
    Attempt.objects.update(actions=99)
    assert rebuild("--study", str(one.session.study_id))[0] == "1 attempts corrected"
    assert [LevelResult.objects.get(attempt=attempt).actions for attempt in (one, other)] == [2, 99]
    with pytest.raises(CommandError, match="study_unknown"):
        rebuild("--study", "999999")
