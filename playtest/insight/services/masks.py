"""Looks for masked cells in random and recorded play, and computes again what depends on them."""

import random
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing

import numpy as np
from django.db.models import Count, F, Q
from django.utils import timezone

from engine.errors import EngineError, PayloadError
from engine.play.actions import CLICK, Action
from engine.play.frames import SIZE, Frame, decode_last
from engine.play.turns import NOT_FINISHED, EncodedTurn
from engine.prove.masks import RULES, Stretch, find
from playtest.insight.compute.results import rebuild, rebuild_derived
from playtest.play.journal.writer import inflate
from playtest.play.models import Attempt, Entry, Session
from playtest.review.services.effort import assess
from playtest.rules.attempt import RESET
from playtest.studio.models import StateMask, Version
from playtest.studio.processes.game import play
from playtest.studio.queries.masks import not_applied
from playtest.studio.services.first_frames import first_frames_of
from playtest.studio.services.masks import keep_found
from playtest.studio.services.qualifications import source_of

RANDOM_PLAYS = 8
RANDOM_ACTIONS = 80
MOST_ATTEMPTS = 40
MOST_ENTRIES = 400
"""Of an attempt, the first so many."""

type _Move = tuple[int, int | None, int | None]


def find_mask(version: Version) -> StateMask:
    """Looks for the masked cells of a version in random play and in its newest recorded attempts."""
    newest = version.attempts.filter(actions__gt=0, ended_at__isnull=False).order_by("-pk")
    attempts = list(newest.values_list("pk", flat=True)[:MOST_ATTEMPTS])
    stretches = [*_random(version), *(part for attempt in attempts for part in _recorded(attempt))]
    return keep_found(version, find(stretches), newest.count())


def find_due_masks(most: int = 3) -> int:
    """Looks at current versions that nobody has done at, or by other rules, or with twice as many attempts.

    Returns at how many, at most `most`.
    """
    ended = Count(
        "attempts", filter=Q(attempts__ended_at__isnull=False, attempts__actions__gt=0), distinct=True
    )
    current = Version.objects.filter(environment__current=F("pk"))
    done = 0
    for version in current.exclude(class_name="").annotate(ended=ended).select_related("environment"):
        last = version.state_masks.filter(decided_by__isnull=True).order_by("-pk").first()
        if last is None or last.rules != RULES or version.ended >= max(4, 2 * last.attempts):
            find_mask(version)
            done += 1
        if done >= most:
            break
    return done


def apply_masks() -> int:
    """Computes again what depends on states, where a mask is new; returns of how many versions."""
    waiting = list(not_applied().values_list("pk", "version"))
    versions = {version for _, version in waiting}
    for version in versions:
        attempts = Attempt.objects.filter(version=version)
        rebuild(attempts)
        list(rebuild_derived(attempts))
        of_people = Session.objects.filter(attempts__in=attempts, assessment__isnull=False).distinct()
        assess(of_people.select_related("study", "protocol"))
    StateMask.objects.filter(pk__in=[pk for pk, _ in waiting]).update(applied_at=timezone.now())
    return len(versions)


def _random(version: Version) -> Iterator[Stretch]:
    """Random plays of the first level; clicks are mostly on what stands out of its first frame."""
    first = first_frames_of(version).get(1)
    if first is None:
        return
    chance = random.Random(version.digest)
    for _ in range(RANDOM_PLAYS):
        actions = [_any(version.available_actions, first, chance) for _ in range(RANDOM_ACTIONS)]
        try:
            with closing(play(source_of(version), 0, actions)) as outcomes:
                turns = (turn for turn in outcomes if isinstance(turn, EncodedTurn))
                moves: list[_Move] = [(0, None, None), *((one.id, one.x, one.y) for one in actions)]
                rows = (
                    (move, turn.levels_completed, turn.state, turn.frames.payload)
                    for move, turn in zip(moves, turns, strict=False)
                )
                yield from stretches(rows)
        except EngineError:
            return


def _any(available: Sequence[int], first: Frame, chance: random.Random) -> Action:
    number = chance.choice([one for one in available if one != RESET] or [1])
    if number != CLICK:
        return Action(number)
    commonest = np.bincount(first.reshape(-1)).argmax()
    places = np.flatnonzero(first != commonest) if chance.random() < 0.8 else np.arange(SIZE * SIZE)
    y, x = divmod(int(chance.choice(places.tolist() or [0])), SIZE)
    return Action(CLICK, x, y)


def _recorded(attempt: int) -> Iterator[Stretch]:
    entries = Entry.objects.filter(attempt=attempt, seq__lte=MOST_ENTRIES).order_by("seq")
    rows = entries.values_list("action", "x", "y", "levels_completed", "state", "frames").iterator()
    try:
        yield from stretches(
            ((action, x, y), completed, state, inflate(frames))
            for action, x, y, completed, state, frames in rows
        )
    except PayloadError:
        return  # the check of the attempt explains it


def stretches(rows: Iterable[tuple[_Move, int, str, bytes]]) -> Iterator[Stretch]:
    """The stretches of one play: moves, levels completed, state and payload after each, the opening first."""
    frame: Frame | None = None
    level, actions, frames = -1, list[_Move](), list[Frame]()
    for number, (move, completed, state, payload) in enumerate(rows):
        frame = decode_last(payload, frame)
        assert frame is not None
        begins = number == 0 or completed != level or move[0] == RESET
        if begins or state != NOT_FINISHED:
            if actions:
                yield Stretch(level, actions, frames)
            level, actions, frames = completed, [], [frame] if begins else []
        elif frames:
            actions.append(move)
            frames.append(frame)
    if actions:
        yield Stretch(level, actions, frames)
