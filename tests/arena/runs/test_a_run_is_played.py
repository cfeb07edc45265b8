"""A run through `AttemptRunner`: what it stores, how it ends, and that nothing about it needs a session."""

import pytest
from asgiref.sync import async_to_sync

from playtest.play.models import AgentNote, Attempt, Entry, Event, EventKind
from playtest.review.services.verification import verify_one
from playtest.rules.attempt import Outcome
from tests.arena.runs.played import PIT, UNAVAILABLE, play_live
from tests.arena.scores.agents import version
from tests.insight.up_to_date import up_to_date

# On PostgreSQL, whole servers play runs (`tests/live/test_the_api_for_agents.py`): the threads of the live
# path do not share the transaction of a test there.
pytestmark = [pytest.mark.django_db, pytest.mark.once]

ACTS = [UNAVAILABLE, PIT, 0, 4, 4, 4, 2]
"""Nothing, into the pit, back by a level reset, through the first level, and a step in the second."""


@pytest.fixture
def run() -> Attempt:
    return play_live(version(), ACTS, Outcome.CARD_CLOSED, {1: '{"output": "what is 7?"}'})


def test_a_run_is_played_stored_and_verified_without_a_session(run: Attempt) -> None:
    assert (run.is_run, run.actions, run.levels_completed, run.outcome) == (True, 7, 1, "card_closed")
    entries = Entry.objects.filter(attempt=run).order_by("seq")
    states = [entry.state for entry in entries]
    assert states == ["NOT_FINISHED", "NOT_FINISHED", "GAME_OVER", *["NOT_FINISHED"] * 5]
    assert not entries[1].changed, "an unavailable action is carried out, and counts"
    assert AgentNote.objects.get(attempt=run, seq=1).reasoning == '{"output": "what is 7?"}'
    end = Event.objects.get(attempt=run)
    assert (end.kind, end.session_id) == (EventKind.ATTEMPT_ENDED, None)
    assert end.details == {"outcome": "card_closed"}
    assert async_to_sync(verify_one)(run.pk).differences == ()
    up_to_date()
    levels = run.level_results.order_by("level").values_list("level", "completed", "actions", "resets")
    assert [*levels] == [(1, True, 6, 1), (2, False, 1, 0)]
