"""Stores what plays counted and used, so that pages do not read their journals again."""

from collections.abc import Iterable
from itertools import batched

from django.db import transaction
from django.db.models import F, Q, QuerySet

from playtest.arena.models import Play, PlaySummary, Scorecard
from playtest.arena.queries.summaries import ATTEMPTS_AT_ONCE, sums
from playtest.play.models import Attempt

_UP_TO_DATE = Q(attempt__ended_at__isnull=False, summary__through_seq=F("attempt__actions"))


def summarise_cards(cards: Iterable[Scorecard]) -> int:
    """Brings up to date the summaries of the plays on these cards; returns how many were not."""
    return summarise(Play.objects.filter(run__card__in=[card.pk for card in cards]))


def summarise(plays: QuerySet[Play]) -> int:
    """Brings up to date the summaries of these plays; returns how many were not.

    Only what is new in a play is read. Several processes may do this at once.
    """
    stale = plays.exclude(_UP_TO_DATE).filter(attempt__entries__seq=1).order_by("pk")
    found = list(stale.values_list("pk", "attempt", "summary__through_seq"))
    for part in batched(found, ATTEMPTS_AT_ONCE):
        _store(part)
    return len(found)


def rebuild_summaries(attempts: QuerySet[Attempt]) -> str:
    """Deletes the summaries of these attempts' plays and computes them again; says how many."""
    plays = Play.objects.filter(attempt__in=attempts)
    PlaySummary.objects.filter(play__in=plays).delete()
    return f"{summarise(plays)} summaries of agents' plays computed"


def _store(part: Iterable[tuple[int, int, int | None]]) -> None:
    """Stores sums, unless another process has stored later ones of the play meanwhile."""
    part = list(part)
    summed = sums(attempt for _, attempt, _ in part)
    missing = []
    with transaction.atomic():
        for play, attempt, through in part:
            levels = {str(level): one.stored for level, one in summed[attempt].levels.items()}
            new = PlaySummary(play_id=play, through_seq=summed[attempt].through, levels=levels)
            if through is None:
                missing.append(new)
            else:
                earlier = PlaySummary.objects.filter(play=play, through_seq__lt=new.through_seq)
                earlier.update(through_seq=new.through_seq, levels=levels)
        PlaySummary.objects.bulk_create(missing, ignore_conflicts=True)
