"""Keeps a play as a recording of its version, as its journal has it."""

from django.db import IntegrityError, transaction

from engine.play.turns import GAME_OVER, WIN
from playtest.people.models import Staff
from playtest.play.errors import Refusal
from playtest.play.models import Attempt
from playtest.studio.models import Recording, RecordingKind

_KINDS = {WIN: RecordingKind.WIN, GAME_OVER: RecordingKind.LOSS}


def keep_as_recording(play: Attempt, by: Staff) -> Recording:
    """The recording `play-N` of an internal play or an agent's run.

    Refusal: play_of_person, since a withdrawal deletes what a person did; no_official_form, of a static task;
    nothing_recorded, recording_exists.
    """
    if play.session_id is not None:
        raise Refusal("play_of_person", "What a participant did stays with their session: play it yourself.")
    if not play.version.kind.has_program:
        raise Refusal("no_official_form", "Recordings are of programs: a task has solutions.")
    rows = list(
        play.entries.order_by("seq").values_list(
            "action", "x", "y", "levels_completed", "state", "state_hash", "server_time"
        )
    )
    if len(rows) < 2:
        raise Refusal("nothing_recorded", "No action was made in this play.")
    begun, state = rows[0][-1], rows[-1][4]
    try:
        with transaction.atomic():
            return Recording.objects.create(
                version=play.version,
                kind=_KINDS.get(state, RecordingKind.UNFINISHED),
                name=f"play-{play.pk}",
                seed=play.seed,
                level=play.first_level,
                actions=[[*row[:3]] for row in rows[1:]],
                levels_completed=[row[3] for row in rows],
                state_hashes=[bytes(row[5]).hex() for row in rows],
                milliseconds=[round((row[6] - begun).total_seconds() * 1000) for row in rows],
                remark=f"Kept by {by.get_username()} from a play.",
                made_at=begun,
            )
    except IntegrityError as error:
        raise Refusal("recording_exists", "This play is a recording already.") from error
