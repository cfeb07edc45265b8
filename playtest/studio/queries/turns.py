"""Whose turn it is: environments take turns, and of each the shortest job goes first."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet
from django.utils import timezone

from engine.prove.qualification import plan
from playtest.jobs.models import UNFINISHED, JobStatus
from playtest.studio.models import Exploration, Qualification, QualificationPart, RandomPlay

SECONDS_AN_ACTION = 0.0005
"""Of a usual environment. What is expected from it only orders jobs, and says roughly how long one waits."""
SECONDS_AT_LEAST = 5.0
_REPEATED = 7
"""How often the check of determinism plays its steps."""
_NEVER = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Waiting:
    """A job that waits for a worker, and how many seconds it will take."""

    model: type[QualificationPart | Exploration | RandomPlay]
    key: int
    environment: int
    seconds: float


def ready_parts() -> QuerySet[QualificationPart]:
    """Parts that can be done: those of structure, and the others once the structure was checked."""
    structure = QualificationPart.objects.filter(
        qualification=OuterRef("qualification"), regime=plan.STRUCTURE, status__in=UNFINISHED
    )
    wanted = QualificationPart.objects.filter(qualification__status__in=UNFINISHED)
    return wanted.filter(Q(regime=plan.STRUCTURE) | ~Exists(structure))


def in_turn() -> list[Waiting]:
    """All jobs that wait, in the order in which workers take them.

    First of the environment with the fewest jobs under way, of several the one served longest ago.
    """
    running, served = _served()
    jobs: defaultdict[int, list[Waiting]] = defaultdict(list)
    for job in sorted(_waiting(), key=lambda one: (one.seconds, one.key)):
        jobs[job.environment].append(job)
    ordered = [
        ((running[environment] + place, served.get(environment, _NEVER), job.seconds, job.key), job)
        for environment, own in jobs.items()
        for place, job in enumerate(own)
    ]
    return [job for _, job in sorted(ordered, key=lambda pair: pair[0])]


def why_it_waits(job: Qualification | Exploration | RandomPlay) -> str:
    """How long a waiting job has waited, for what, and for how long still."""
    waits: Any = job.parts.get(regime=plan.STRUCTURE) if isinstance(job, Qualification) else job
    order = in_turn()
    before = next((at for at, one in enumerate(order) if (one.model, one.key) == (type(waits), waits.pk)), 0)
    running = sum(_served()[0].values())
    since = int((timezone.now() - job.requested_at).total_seconds() // 60)
    said = f"for {since:,} min" if since else "for less than a minute"
    if not before:
        return f"{said}; it is next, and {running} job{'s are' if running != 1 else ' is'} under way"
    minutes = sum(one.seconds for one in order[:before]) / max(1, running) / 60
    return (
        f"{said}; {before:,} job{'s go' if before > 1 else ' goes'} first, about {minutes:,.0f} min, "
        "because environments take turns and short jobs go before long ones"
    )


def _waiting() -> Iterator[Waiting]:
    parts = ready_parts().filter(status=JobStatus.WAITING)
    for key, environment, regime, steps in parts.values_list(
        "pk", "qualification__version__environment", "regime", "steps"
    ):
        times = _REPEATED if regime == plan.DETERMINISM else 1
        yield Waiting(QualificationPart, key, environment, _seconds(times * steps))
    explorations = Exploration.objects.filter(status=JobStatus.WAITING)
    for key, environment, limits in explorations.values_list("pk", "version__environment", "limits"):
        yield Waiting(Exploration, key, environment, float(limits.get("seconds", SECONDS_AT_LEAST)))
    plays = RandomPlay.objects.filter(status=JobStatus.WAITING)
    for key, environment, games, budget in plays.values_list("pk", "version__environment", "total", "budget"):
        yield Waiting(RandomPlay, key, environment, _seconds(games * budget / 2))


def _seconds(actions: float) -> float:
    return SECONDS_AT_LEAST + SECONDS_AN_ACTION * actions


def _served() -> tuple[Counter[int], dict[int, datetime]]:
    """By environment: its jobs under way, and when a worker was last heard of about one."""
    running, served = Counter[int](), dict[int, datetime]()
    for model, path in (
        (QualificationPart, "qualification__version__environment"),
        (Exploration, "version__environment"),
        (RandomPlay, "version__environment"),
    ):
        begun: QuerySet[Any] = model._default_manager.exclude(status=JobStatus.WAITING)
        of_each = begun.values_list(path).annotate(
            under_way=Count("pk", filter=Q(status=JobStatus.RUNNING)), heard=Max("heartbeat_at")
        )
        for environment, under_way, heard in of_each:
            running[environment] += under_way
            served[environment] = max(heard, served.get(environment, _NEVER))
    return running, served
