"""Who saw environments without a run of their own: accounts, and the people who were tested."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Count, Max, Min

from playtest.insight.scope import EVERYONE
from playtest.people.models import Staff
from playtest.people.same_person import linked_records
from playtest.studio.models import TAKEN, Environment, Sighting, SightingKind


class Account(NamedTuple):
    """A member of staff, or the command or API key that `name` names."""

    name: str
    is_staff: bool


@dataclass(frozen=True)
class AccountSeen:
    """How often an account saw an environment in one way: on `days` days, from `first_at` to `last_at`.

    Of each day the first moment is known.
    """

    account: Account
    environment: Environment
    kind: SightingKind
    days: int
    first_at: datetime
    last_at: datetime


@dataclass(frozen=True)
class Tested:
    """A person who was shown a frame of an environment; records of one person have the same number."""

    person: int
    environment: int
    first_at: datetime
    last_at: datetime


def accounts_seen(**chosen: Any) -> list[AccountSeen]:
    """Every account with each environment and way, the last first; `chosen` filters sightings."""
    rows = (
        Sighting.objects.filter(**chosen)
        .values_list("staff", "name", "environment", "kind")
        .annotate(Count("day", distinct=True), Min("at"), Max("at"))
    )
    staff = dict(Staff.objects.values_list("pk", "username"))
    environments = Environment.objects.in_bulk()
    found = [
        AccountSeen(
            Account(name if account is None else staff[account], account is not None),
            environments[environment],
            SightingKind(kind),
            *counted,
        )
        for account, name, environment, kind, *counted in rows
    ]
    return sorted(found, key=lambda one: (one.last_at, one.account, one.environment.code), reverse=True)


def tested() -> list[Tested]:
    """Every person with each environment of which they were shown a frame, also in excluded attempts.

    Simulated people and rehearsals are left out.
    """
    linked = linked_records()
    rows = (
        EVERYONE.attempts.order_by()
        .values_list("participant", "environment")
        .annotate(Min("first_frame_at"), Max("last_action_at"))
    )
    return [
        Tested(min(linked.get(record, (record,))), environment, first_at, last_at or first_at)
        for record, environment, first_at, last_at in rows
    ]


def taken(rows: Iterable[AccountSeen]) -> int:
    """On how many days an account took an environment's play or source as a file."""
    return sum(one.days for one in rows if one.kind in TAKEN)
