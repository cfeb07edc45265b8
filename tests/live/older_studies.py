"""`python -m tests.live.older_studies`: migrates studies of an older version.

Migrates an empty database to the last state without versions of protocols, writes studies, changes and
sessions, migrates to the newest state and prints both as JSON.
"""

import json
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import django

BEFORE = [("play", "0006_changes_of_studies"), ("insight", "0002_stamps_of_summaries")]
BEGAN = datetime(2026, 3, 1, 9, tzinfo=UTC)


def at(hours: float) -> datetime:
    return BEGAN + timedelta(hours=hours)


def write(apps: Any) -> None:
    """Played: changed twice between three sessions. Waiting: only a code. Rehearsed: changed, nobody came."""
    model = apps.get_model
    staff = model("people", "Staff").objects.create(username="lead", role="lead")
    environments = [model("studio", "Environment").objects.create(code=code) for code in ("ck01", "wk01")]

    def study(name: str, **columns: Any) -> Any:
        made = model("play", "Study").objects.create(
            name=name, created_at=at(0), created_by=staff, consent_text="You may stop.", **columns
        )
        made.pool.set(environments)
        return made

    def change(study: Any, hours: float, before: dict[str, Any], after: dict[str, Any]) -> None:
        model("play", "StudyChange").objects.create(
            study=study, changed_at=at(hours), changed_by=staff, reason=f"after {hours} hours",
            before=before, after=after, sessions=1, under_way=0,
        )  # fmt: skip

    def session(study: Any, hours: float | None) -> None:
        number = model("people", "Participant").objects.count()
        model("play", "Session").objects.create(
            study=study, code_hash=str(number), created_at=at(0),
            checked_in_at=None if hours is None else at(hours),
            participant=model("people", "Participant").objects.create(label=f"P-{number}", created_at=at(0)),
        )  # fmt: skip

    played = study("Played", hard_seconds=2700, fee=Decimal("120.00"), effort={"no_op_share": 0.7})
    for hours in (1, 3, 3.5, None):
        session(played, hours)
    change(
        played, 2, {"hard_seconds": 1800, "pool": ["wk01"]}, {"hard_seconds": 2700, "pool": ["ck01", "wk01"]}
    )
    change(played, 4, {"fee": "115.00", "effort": {}}, {"fee": "120.00", "effort": {"no_op_share": 0.7}})
    session(study("Waiting"), None)
    rehearsed = study("Rehearsed", rehearsal=True, target_people=3)
    session(rehearsed, None)
    change(rehearsed, 2, {"target_people": 5}, {"target_people": 3})


def found() -> dict[str, Any]:
    from playtest.play.models import ProtocolVersion, Session

    versions = ProtocolVersion.objects.order_by("study", "number").select_related("study", "created_by")
    return {
        "versions": [
            {
                "study": version.study.name,
                "number": version.number,
                "by": version.created_by.username if version.created_by else None,
                "created": version.created_at.isoformat(),
                "frozen": version.frozen_at.isoformat() if version.frozen_at else None,
                "reason": version.reason,
                "rule": [version.more_than_actions, version.less_than_seconds],
                "whole": version.value.digest == version.digest,
                "document": version.document,
            }
            for version in versions
        ],
        "sessions": [
            [session.study.name, session.protocol.number if session.protocol else None]
            for session in Session.objects.order_by("pk").select_related("study", "protocol")
        ],
    }


def main() -> None:
    from django.core.management import call_command
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor
    from django.db.migrations.loader import MigrationLoader

    executor = MigrationExecutor(connection)
    executor.loader = MigrationLoader(connection, replace_migrations=False)  # there was nothing squashed then
    executor.migrate(BEFORE)
    write(executor.loader.project_state(BEFORE).apps)  # models of their own: migrated ones may be stale
    call_command("migrate", verbosity=0)
    print(json.dumps(found()))  # noqa: T201


if __name__ == "__main__":
    django.setup()
    main()
