"""The limits of the studio's confined processes."""

from django.conf import settings

from engine.confine.process import ProcessLimits

ACTION_SECONDS = 5.0
START_SECONDS = 10.0
EXPLORATION_MEGABYTES = 2048
"""Of a whole exploration, which holds its state graph."""


SECONDS_A_STEP = 0.25
"""On average; a longer one is called slow (`engine.prove.qualification.plan`)."""
SECONDS_AROUND = 120.0
"""For starts, repetitions and recordings."""


def seconds_for(steps: int) -> float:
    """How long a one-shot worker may take in all for so many steps."""
    return SECONDS_AROUND + SECONDS_A_STEP * steps


def worker_limits(process_memory: int | None = None) -> ProcessLimits:
    """The limits of a one-shot worker; by default, its process may use twice an environment's memory."""
    memory = settings.ENGINE_MEMORY_MEGABYTES
    return ProcessLimits(ACTION_SECONDS, START_SECONDS, memory, process_memory or 2 * memory)


def game_limits() -> ProcessLimits:
    """Those of a process that plays one game."""
    memory = settings.ENGINE_MEMORY_MEGABYTES
    return ProcessLimits(start_deadline=settings.INSPECTION_SECONDS, memory=memory, process_memory=2 * memory)
