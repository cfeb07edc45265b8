"""Reads of internal plays: attempts by members of staff without a session."""

from collections.abc import Iterable
from typing import Any

from django.db.models import F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from playtest.people.models import Staff
from playtest.play.models import Attempt, Entry
from playtest.play.queries import INTERNAL
from playtest.rules.internal_play import InternalPlay
from playtest.studio.models import Environment

_NEWEST = Entry.objects.filter(attempt=OuterRef("pk")).order_by("-seq")


def internal_plays() -> QuerySet[Attempt]:
    """Every internal play. What is large in its version is not read."""
    return (
        Attempt.objects.filter(INTERNAL)
        .select_related("version", "environment", "staff")
        .defer("version__source", "version__metadata")
    )


def internal_play(attempt_id: int) -> Attempt | None:
    """An internal play; None if there is no such one."""
    return internal_plays().filter(pk=attempt_id).first()


def open_play_of(staff: Staff, environment: Environment) -> Attempt | None:
    """The play of the current version that this account has not ended."""
    return internal_plays().filter(staff=staff, version=environment.current_id, ended_at=None).first()


def with_progress(plays: QuerySet[Attempt]) -> QuerySet[Any]:
    """With `acted` and `done`: the actions and the levels completed in the play itself, as of now."""
    before = F("first_level") - 1
    return plays.annotate(
        acted=Coalesce(Subquery(_NEWEST.values("seq")[:1]), 0),
        done=Coalesce(Subquery(_NEWEST.values("levels_completed")[:1]), before) - before,
    )


def plays_of_versions(versions: Iterable[int]) -> dict[int, list[InternalPlay]]:
    """Every internal play of these versions as the gate reads it, the oldest first, by the version's key."""
    found: dict[int, list[InternalPlay]] = {version: [] for version in versions}
    rows = with_progress(Attempt.objects.filter(INTERNAL, version__in=found)).order_by("pk")
    for version, *play in rows.values_list("version", "pk", "staff", "done", "acted"):
        found[version].append(InternalPlay(*play))
    return found
