"""The journal as the replay page gets it, a frame of it, and its official recording."""

from base64 import b64decode
from datetime import datetime, timedelta

import pytest
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from engine.play import recording
from engine.play import source as sources
from engine.play.actions import Action
from engine.play.frames import Frame, decode, same_cells
from engine.play.game import Game
from playtest.people.roles import Role
from playtest.play.journal.entries import start_of
from playtest.play.models import Event, EventKind
from playtest.play.sessions.attempts import open_next
from playtest.review.attempt_film import turns
from playtest.review.journal_document import journal_document
from playtest.review.queries.exports import find_frame
from playtest.rules.attempt import Outcome
from tests import make
from tests.live.games import WALK
from tests.replays import play_again
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def test_it_holds_every_frame_the_participant_saw() -> None:
    attempt = make.play(make.session(make.study()), [4, 4, 4, 2, 0])
    game, turn = Game.start(sources.load(make.ENVIRONMENTS / "wk01"), attempt.seed)
    turns = [turn, *(game.act(Action(action)) for action in (4, 4, 4, 2, 0))]
    shown: Frame | None = None
    for entry, turn in zip(journal_document(attempt)["entries"], turns, strict=True):
        frames = decode(b64decode(entry["frames"]), shown)
        assert [frame.tolist() for frame in frames] == [frame.tolist() for frame in turn.frames]
        assert entry["frame_count"] == len(turn.frames)
        shown = frames[-1]


def test_it_says_what_was_done_and_what_came_of_it() -> None:
    attempt = make.play(make.session(make.study()), [4, 4, 4, 0], seconds_an_action=1.5)
    document = journal_document(attempt)
    assert (document["environment"], document["levels"], document["outcome"]) == ("wk01", 6, "gave_up")
    opening, *_, won, reset = document["entries"]
    assert (opening["seq"], opening["time"], opening["input"]) == (0, 0.0, "unknown")
    assert (won["action"], won["level"], won["level_completed"], won["time"]) == (4, 1, True, 4500.0)
    assert (reset["action"], reset["level"], reset["changed"], reset["input"]) == (0, 2, False, "key")
    started = datetime.fromisoformat(document["started_at"])
    assert started == attempt.entries.get(seq=0).server_time


def test_it_has_the_hash_chain_for_comparison() -> None:
    attempt = make.play(make.session(make.study()), [4, 4])
    record = journal_document(attempt)["record"]
    assert record["start"] == start_of(attempt).hex()
    assert record["chain"] == [bytes(entry.chain).hex() for entry in attempt.entries.order_by("seq")]
    assert record["seal"] == bytes(attempt.seal or b"").hex()


def test_events_lie_on_the_same_clock() -> None:
    attempt = make.play(make.session(make.study()), [4], seconds_an_action=2)
    (ended,) = journal_document(attempt)["events"]
    assert (ended["kind"], ended["time"], ended["details"]) == (
        "attempt_ended",
        3000.0,
        {"outcome": "gave_up"},
    )


def test_what_happened_to_the_session_meanwhile_is_in_it_and_who_did_it() -> None:
    session = make.session(make.study())
    attempt = make.play(session, [4], seconds_an_action=2)
    for seconds, by in ((-1, None), (1, staff(Role.PROCTOR)), (4, None)):
        Event.objects.create(
            session=session,
            kind=EventKind.CONNECTED,
            server_time=attempt.entries.get(seq=0).server_time + timedelta(seconds=seconds),
            staff=by,
        )
    events = journal_document(attempt)["events"]
    assert [(event["kind"], event["time"], event["staff"]) for event in events] == [
        ("connected", 1000.0, "proctor"),
        ("attempt_ended", 3000.0, None),
    ]


def test_events_of_other_attempts_are_not_in_it() -> None:
    session = make.session(make.study())
    attempt = make.play(session, [4])
    other = make.play(make.session(attempt.session.study), [4])
    for found in (attempt, other):
        Event.objects.create(
            session=other.session, attempt=other, kind=EventKind.PAGE_HIDDEN, server_time=found.assigned_at
        )
    assert [event["kind"] for event in journal_document(attempt)["events"]] == ["attempt_ended"]


def test_an_attempt_that_never_began_has_no_entries() -> None:
    session = make.session(make.study())
    attempt = open_next(session)
    assert attempt is not None
    page = signed_in(Role.LEAD).get(reverse("review:journal", args=[attempt.pk])).json()
    assert page["entries"] == []


def test_a_long_attempt_takes_few_queries(django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    attempt = make.play(make.session(make.study()), [2] * 200)
    client = signed_in(Role.LEAD)
    with django_assert_max_num_queries(17):
        assert len(client.get(reverse("review:journal", args=[attempt.pk])).json()["entries"]) == 201


def test_every_frame_of_an_attempt_is_found() -> None:
    attempt = make.play(make.session(make.study()), [*WALK], Outcome.COMPLETED)
    everything = [(entry.seq, frames) for entry, frames in turns(attempt)]
    assert len(everything) == len(WALK) + 1
    for seq, frames in everything:
        for number, frame in enumerate(frames, start=1):
            found = find_frame(attempt, seq, number)
            assert found is not None
            assert same_cells(found, frame)
    assert find_frame(attempt, len(WALK) + 1, None) is None


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
