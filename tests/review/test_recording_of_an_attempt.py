"""An attempt as an official recording: read again, it replays exactly."""

import pytest
from django.urls import reverse

from engine.play import recording
from engine.play import source as sources
from playtest.people.roles import Role
from playtest.rules.attempt import Outcome
from tests import make
from tests.live.games import WALK
from tests.replays import play_again
from tests.staff import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.mark.parametrize(("code", "acts"), [("wk01", [4, 0, *WALK]), ("ck01", [(3, 60), (10, 10)])], ids=str)
def test_a_downloaded_recording_replays_exactly(code: str, acts: list[make.Act]) -> None:
    attempt = make.play(make.session(make.study(code)), acts, Outcome.GAVE_UP)
    answer = signed_in(Role.DESIGNER).get(reverse("review:recording", args=[attempt.pk]))
    found = recording.read(answer.content.decode().splitlines())
    assert found.game_id == attempt.version.game_id
    assert len(found.turns) == len(acts) + 1
    turns, divergence = play_again(sources.load(make.ENVIRONMENTS / code), attempt.seed, found)
    assert (len(turns), divergence) == (len(acts) + 1, None)


def test_it_carries_the_facts_of_the_journal() -> None:
    attempt = make.play(make.session(make.study()), [4, 4, 4])
    answer = signed_in(Role.DESIGNER).get(reverse("review:recording", args=[attempt.pk]))
    opening, *_, won = recording.read(answer.content.decode().splitlines()).turns
    assert (opening.action.id, opening.full_reset) == (0, True)
    assert (won.levels_completed, won.levels, won.available_actions) == (1, 6, (1, 2, 3, 4))
    assert won.timestamp == attempt.entries.get(seq=3).server_time.isoformat()
    name = f"{attempt.version.game_id}-attempt-{attempt.pk}.jsonl"
    assert answer["Content-Disposition"] == f'attachment; filename="{name}"'
