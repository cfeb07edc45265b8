"""What is stored of plays answers as their journals do, however much of them it has."""

import json
from io import StringIO
from random import Random

import pytest
from django.core.management import call_command

from playtest.arena.models import Play, PlaySummary
from playtest.arena.runs.sums import play_counts, summarise, sums, usage_of
from playtest.play.models import AgentNote, Attempt
from playtest.rules.attempt import Outcome
from tests.arena.runs.test_usage import HARNESS
from tests.arena.scores import agents
from tests.arena.scores.test_level_counts import random_text
from tests.insight.journals import append
from tests.rules.levels import journal

pytestmark = pytest.mark.django_db


@pytest.mark.services
def test_sums_stored_at_any_time_give_the_answer_of_the_journal() -> None:
    chance, card = Random(12), agents.card()
    for _ in range(10):
        text = random_text(chance)
        entries = journal(text)
        play = agents.run(card, [""]).plays.get()
        said = {seq for seq in range(1, len(entries)) if chance.random() < 0.4}
        split = chance.randint(1, len(entries))
        for part in (entries[1:split], entries[split:]):
            append(play.attempt, part)
            AgentNote.objects.bulk_create(
                AgentNote(attempt=play.attempt, seq=entry.seq, reasoning=json.dumps(HARNESS))
                for entry in part
                if entry.seq in said
            )
            before = answers(play.attempt)
            summarise(Play.objects.filter(pk=play.pk))
            assert answers(play.attempt) == before, text
    assert PlaySummary.objects.count() > 5


def answers(attempt: Attempt) -> object:
    return (
        play_counts([attempt.pk]),
        play_counts([attempt.pk], undo_counts=False),
        usage_of([attempt.pk]),
        sums([attempt.pk])[attempt.pk].levels,
    )


def test_an_ended_play_is_summed_once_and_rebuild_gives_the_same() -> None:
    card = agents.card()
    play = agents.run(card, ["bR+ .!Rb"]).plays.get()
    AgentNote.objects.create(attempt=play.attempt, seq=2, reasoning=json.dumps(HARNESS))
    end(play.attempt)
    plays = Play.objects.all()
    assert (summarise(plays), summarise(plays)) == (1, 0)
    stored = PlaySummary.objects.values_list().get()
    # What is stored is what is read: a wrong sum would be shown until it is rebuilt.
    PlaySummary.objects.update(levels={"1": [99] * len(stored[2]["1"])})
    assert play_counts([play.attempt_id])[play.attempt_id].actions == 99
    out = StringIO()
    call_command("rebuild", stdout=out)
    assert "1 summaries of agents' plays computed" in out.getvalue()
    assert PlaySummary.objects.values_list().get() == stored
    assert sums([play.attempt_id])[play.attempt_id].through == 7


def end(attempt: Attempt) -> None:
    from playtest.play.clock import now
    from playtest.play.sessions.attempts import end_attempt

    end_attempt(attempt.pk, Outcome.CARD_CLOSED, now())
