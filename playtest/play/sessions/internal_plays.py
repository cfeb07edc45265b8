"""Internal plays: attempts of staff without a session. They are never counted."""

import secrets
from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.db.models import F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from playtest.people.models import Staff
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Attempt, Entry
from playtest.play.sessions.attempts import end_attempt
from playtest.play.sessions.notifications import notify_internal_play_after_commit
from playtest.play.sessions.reads import INTERNAL
from playtest.rules.attempt import Outcome
from playtest.rules.pipeline import InternalPlay
from playtest.studio.models import Environment, SightingKind, Version
from playtest.studio.services.sightings import note_sightings

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
    for version, *play in rows.values_list("version", "pk", "staff", "done"):
        found[version].append(InternalPlay(*play))
    return found


def begin_internal_play(version: Version, staff: Staff, level: int) -> Attempt:
    """An internal play that begins on this level, of a task on the first. Refusal: level_unknown.

    Another one of the version that this account has not ended ends. If it began on this level too, and
    nothing was done in it, it is returned, so that a second click starts nothing.
    """
    last = version.levels if version.kind.has_levels else 1
    if not 1 <= level <= last:
        message = f"This version cannot begin on level {level}: choose one from 1 to {last}."
        raise Refusal("level_unknown", message, status=400)
    with transaction.atomic():
        Staff.objects.select_for_update(no_key=True).get(pk=staff.pk)  # two clicks at once take turns
        found = Attempt.objects.filter(staff=staff, version=version, ended_at=None).first()
        if found is not None:
            if found.first_level == level and not Entry.objects.filter(attempt=found, seq=1).exists():
                return found
            end_attempt(found.pk, Outcome.RESTARTED, now())
            notify_internal_play_after_commit(found.pk)
        begun = Attempt.objects.create(
            staff=staff,
            environment_id=version.environment_id,
            version=version,
            first_level=level,
            number=1,
            seed=secrets.randbelow(2**31),
            assigned_at=now(),
        )
        note_sightings([version.environment_id], SightingKind.PLAYED, staff)
    return begun


def open_play(staff: Staff | None, environment: Environment) -> dict[str, Any]:
    """The reader's own play of the current version that goes on, if there is one."""
    own = internal_plays().filter(staff=staff, version=environment.current_id, ended_at=None)
    return {"play": None if staff is None else own.first()}
