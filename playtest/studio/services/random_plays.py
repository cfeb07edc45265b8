"""Random play of levels: requested, done by workers, cancelled, requeued; all missing evidence at once.

The random play of a level is one job (`playtest.jobs.lifecycle`). What comes of it cannot be seen before it
is done, so nobody can cancel it because it wins. Once a level has failed, what waits of others is cancelled.
"""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from engine.play.actions import Action
from engine.prove.chance import MOST, Question
from engine.prove.qualification.plan import LARGEST_SEED
from playtest.jobs import lifecycle
from playtest.jobs.lifecycle import Enqueue
from playtest.jobs.models import JobStatus
from playtest.people.models import Staff
from playtest.rules.errors import RuleError
from playtest.rules.protocol import DEFAULT
from playtest.studio.models import RandomPlay, Version
from playtest.studio.processes.random_play import play_at_random
from playtest.studio.queries import evidence
from playtest.studio.queries.evidence import Plan, plan
from playtest.studio.queries.fewest import recorded_wins
from playtest.studio.services import explorations
from playtest.studio.services.inheriting import inherits
from playtest.studio.services.qualifications import random_seed, source_of

STALLED = timedelta(minutes=5)


def request_play(
    version: Version, level: int, enqueue: Enqueue, *, seed: int | None = None, by: Staff | None = None
) -> RandomPlay:
    """Random play that waits for a worker. Raises RuleError as `create`."""
    with transaction.atomic():
        row = create(version, level, seed=seed, by=by)
        transaction.on_commit(lambda: enqueue(row.pk), robust=True)
    return row


def create(version: Version, level: int, *, seed: int | None = None, by: Staff | None = None) -> RandomPlay:
    """Random play that no worker knows of yet, of games with at most the level's present budget of actions.

    Raises RuleError level_unknown, bad_seed, seed_used, no_win_known, play_not_needed.
    """
    if not 1 <= level <= version.levels:
        raise RuleError("level_unknown", f"This environment has levels 1 to {version.levels}.")
    seed = random_seed() if seed is None else seed
    if not 0 <= seed <= LARGEST_SEED:
        raise RuleError("bad_seed", f"A seed goes from 0 to {LARGEST_SEED}.")
    if RandomPlay.objects.filter(version=version, level=level, seed=seed).exists():
        message = f"Level {level} was already played with seed {seed}. Choose another seed."
        raise RuleError("seed_used", message)
    known = evidence.verdict(version, level)
    if known.budget is None:
        message = f"No win of level {level} is known. Add a recording that wins it, or explore the level."
        raise RuleError("no_win_known", message)
    if not evidence.needs_play(version, known):
        raise RuleError("play_not_needed", f"{known.sentence} More random play would change nothing now.")
    return RandomPlay.objects.create(
        version=version,
        level=level,
        seed=seed,
        number=0,
        budget=known.budget,
        total=MOST,
        requested_by=by,
        requested_at=timezone.now(),
    )


def do_play(play_id: int, enqueue: Enqueue | None = None) -> bool:
    """Plays a waiting level; False if another worker has it, or it is decided by now.

    `enqueue` if this worker must end.
    """
    mine = RandomPlay.objects.filter(pk=play_id)
    lease = lifecycle.claim(mine, started_at=timezone.now())
    if lease is None:
        return False
    row = mine.select_related("version__environment").get()
    with lifecycle.working(lease, play_id, enqueue, lifecycle.explain_fault):
        if (
            inherits(row.version, row.level, lease.report)
            or not evidence.verdict(row.version, row.level).open
        ):
            lease.finish(JobStatus.CANCELLED, error="not_needed: enough is known of the level.")
            return False
        report = play_at_random(
            source_of(row.version), question_of(row), lambda done: lease.report(done=done)
        )
        if lease.finish(JobStatus.DONE, report=report, done=row.total):
            explorations.stop_gathering(row.version, row.level)
    return True


def question_of(row: RandomPlay) -> Question:
    """What the worker is asked."""
    player = DEFAULT.random_player
    seed, actions = next(iter(recorded_wins(row.version, row.level)), (0, ()))
    return Question(
        row.level,
        row.seed,
        row.budget,
        player.chance,
        tuple(player.tries_needed(wins) for wins in range(3)),
        tuple(Action(*action) for action in actions),
        seed,
    )


def cancel(rows: QuerySet[RandomPlay]) -> int:
    """Cancels unfinished random play; returns its number. Workers notice within a second."""
    return lifecycle.cancel(rows)


def requeue_stalled(moment: datetime, enqueue: Enqueue) -> list[int]:
    """Enqueues random play whose worker must be gone, and what no worker knows of."""
    return lifecycle.requeue_stalled(RandomPlay.objects.all(), moment, STALLED, enqueue)


def gather(version: Version, explore: Enqueue, play: Enqueue, by: Staff | None = None) -> Plan:
    """Requests all missing evidence; returns what was requested.

    A level that is decided by the time its job is begun is neither explored nor played.
    """
    with transaction.atomic():
        made = plan(version)
        for level in made.graphs:
            explorations.request_exploration(version, level, explore, limits=explorations.GATHERED, by=by)
        for level in made.plays:
            request_play(version, level, play, by=by)
    return made
