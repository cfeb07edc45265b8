"""Parts of qualifications whose worker is gone are taken up again.

Nothing in the database says who does a part, so what counts is that nothing moves: a part that is
running, or a qualification that waits while nothing else is done, and has told nothing new for STALLED.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from engine.qualify import STRUCTURE
from playtest.studio.models import UNFINISHED, Qualification, QualificationPart, RunStatus
from playtest.studio.services.qualifications import finish
from playtest.studio.trials import SILENCE_SECONDS

STALLED = timedelta(seconds=SILENCE_SECONDS + 30)

type _Key = tuple[str, int]
type _Sign = tuple[int, datetime | None]
"""Steps done, and when the worker was heard of: a new one of either is a sign of life."""


@dataclass(slots=True)
class Watch:
    """What was seen of unfinished parts at earlier looks, and since when it has been so."""

    _seen: dict[_Key, tuple[_Sign, datetime]] = field(default_factory=dict)

    def look(self, moment: datetime, enqueue: Callable[[int], object]) -> list[int]:
        """Has stalled parts done again, and returns them; ends a qualification whose parts are done."""
        parts = list(
            QualificationPart.objects.filter(
                status__in=UNFINISHED, qualification__status__in=UNFINISHED
            ).order_by("pk")
        )
        running = [part for part in parts if part.status == RunStatus.RUNNING]
        stalled = [
            part.pk
            for part in running
            if self._stands_still(("part", part.pk), (part.done, part.heard_at), moment)
        ]
        QualificationPart.objects.filter(pk__in=stalled, status=RunStatus.RUNNING).update(
            status=RunStatus.WAITING, done=0
        )
        taken_up = stalled + self._forgotten(parts, running, moment)
        self._forget({("part", part.pk) for part in running} | {("all", 0)}, stalled)
        for part_id in taken_up:
            enqueue(part_id)
        for qualification_id in _all_done():
            finish(qualification_id)
        return taken_up

    def _forgotten(
        self, parts: list[QualificationPart], running: list[QualificationPart], moment: datetime
    ) -> list[int]:
        """Waiting parts that no worker was told of, which is so when nothing at all is done for long.

        Nothing else of a qualification may be done before its structure was looked at.
        """
        waiting = [part for part in parts if part.status == RunStatus.WAITING]
        if running or not waiting:
            self._seen.pop(("all", 0), None)
            return []
        if not self._stands_still(("all", 0), (sum(part.pk for part in waiting), None), moment):
            return []
        self._seen.pop(("all", 0), None)
        first = {part.qualification_id for part in waiting if part.regime == STRUCTURE}
        return [part.pk for part in waiting if part.regime == STRUCTURE or part.qualification_id not in first]

    def _stands_still(self, key: _Key, sign: _Sign, moment: datetime) -> bool:
        before, since = self._seen.get(key, (sign, moment))
        if before != sign:
            since = moment
        self._seen[key] = sign, since
        return moment - since >= STALLED

    def _forget(self, known: set[_Key], stalled: list[int]) -> None:
        gone = {("part", part_id) for part_id in stalled}
        self._seen = {key: value for key, value in self._seen.items() if key in known - gone}


def _all_done() -> list[int]:
    unfinished = QualificationPart.objects.filter(status__in=UNFINISHED).values("qualification")
    running = Qualification.objects.filter(status=RunStatus.RUNNING).exclude(pk__in=unfinished)
    return list(running.values_list("pk", flat=True))
