"""What an attempt repeats of its journal can be computed again, with the same answer."""

from io import StringIO

import pytest
from django.core.management import call_command

from playtest.play.models import Attempt
from tests.sittings import play, sit_down, study

pytestmark = pytest.mark.django_db


def rebuild() -> str:
    said = StringIO()
    call_command("rebuild", stdout=said)
    return said.getvalue().strip()


def test_a_spoilt_summary_comes_back_as_the_journal_has_it() -> None:
    attempt = play(sit_down(study()), [4, 4, 4, 2])
    Attempt.objects.filter(pk=attempt.pk).update(actions=99, levels_completed=5, last_action_at=None)
    assert rebuild() == "1 attempts mended"
    again = Attempt.objects.get(pk=attempt.pk)
    assert (again.actions, again.levels_completed) == (4, 1)
    assert again.last_action_at == attempt.last_action_at


def test_a_second_time_there_is_nothing_to_mend() -> None:
    play(sit_down(study()), [4, 4])
    assert rebuild() == "0 attempts mended"


def test_without_attempts_there_is_nothing_to_mend() -> None:
    assert rebuild() == "0 attempts mended"
