"""Gives every study the versions of its protocol, and every session the one that held at its check-in.

A study's columns are what it prescribes now, and each of its changes says what was before: so the versions are
found backwards. A version that nobody checked in under before the next one is frozen by that one.
"""

from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

from playtest.rules.acceptance import Acceptance
from playtest.rules.effort.thresholds import thresholds
from playtest.rules.limits import Limits
from playtest.rules.pay import Pay
from playtest.rules.protocol import DEFAULT

COLUMNS = (
    "soft_seconds", "hard_seconds", "session_seconds", "target_people", "fee", "bonus", "consent_text", "effort",
)  # fmt: skip

type Described = tuple[dict[str, Any], datetime, int | None, str]
"""What a study prescribed, by column and `pool`; since when, by whom, and why."""


def make_versions(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    alias = editor.connection.alias
    studies: Any = apps.get_model("play", "Study").objects
    everyone: Any = apps.get_model("play", "Session").objects
    for study in studies.using(alias).order_by("pk"):
        versions = [version_of(apps, study, *one) for one in enumerate(history(apps, study, alias), start=1)]
        sessions = everyone.using(alias).filter(study=study)
        held = assign(versions, sessions.filter(checked_in_at__isnull=False))
        for place, version in enumerate(versions):
            checked_in = [session.checked_in_at for session in held[place]]
            replaced = versions[place + 1].created_at if versions[place + 1 :] else None
            version.frozen_at = min(checked_in, default=replaced)
            version.save(using=alias)
            keys = [session.pk for session in held[place]]
            for start in range(0, len(keys), 500):
                sessions.filter(pk__in=keys[start : start + 500]).update(protocol=version)


def history(apps: StateApps, study: Any, alias: str) -> list[Described]:
    """What the study prescribed at first, then after each change: values, when, by whom, why."""
    changes: Any = apps.get_model("play", "StudyChange").objects.using(alias).filter(study=study)
    values = {name: getattr(study, name) for name in COLUMNS}
    values["pool"] = list(study.pool.values_list("code", flat=True))
    found = []
    for change in changes.order_by("-changed_at", "-pk"):
        found.append((values, change.changed_at, change.changed_by_id, change.reason))
        values = values | change.before
    found.append((values, study.created_at, study.created_by_id, ""))
    return found[::-1]


def version_of(apps: StateApps, study: Any, number: int, described: Described) -> Any:
    values, created_at, created_by, reason = described
    protocol = replace(
        DEFAULT,
        limits=Limits(values["soft_seconds"], values["hard_seconds"], values["session_seconds"]),
        acceptance=Acceptance(values["target_people"], DEFAULT.acceptance.solvers),
        pay=Pay(Decimal(values["fee"]), Decimal(values["bonus"])),
        effort=replace(DEFAULT.effort, thresholds=thresholds(values["effort"])),
        consent_text=values["consent_text"],
        environments=tuple(sorted(values["pool"])),
    )
    model: Any = apps.get_model("play", "ProtocolVersion")
    return model(
        study=study,
        number=number,
        document=protocol.document,
        digest=protocol.digest,
        created_at=created_at,
        created_by_id=created_by,
        reason=reason,
    )


def assign(versions: list[Any], sessions: Any) -> list[list[Any]]:
    """The sessions that checked in under each version: the last one that was made by then."""
    held: list[list[Any]] = [[] for _ in versions]
    for session in sessions.order_by("pk"):
        made = [place for place, one in enumerate(versions) if one.created_at <= session.checked_in_at]
        held[max(made, default=0)].append(session)
    return held


class Migration(migrations.Migration):
    dependencies = [("play", "0007_versions_of_protocols"), ("studio", "__first__")]

    operations = [migrations.RunPython(make_versions)]
