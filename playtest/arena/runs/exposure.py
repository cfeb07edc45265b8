"""How much of each set has left: disclosed scores, and the keys, accounts and people that saw it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Count, Max, Min, QuerySet

from playtest.arena.models import ApiKey, Disclosure, Run, ScoredTask, SubmissionFile
from playtest.arena.runs.keys import SETS, Seen, seen
from playtest.insight.scope import EVERYONE
from playtest.people.models import Staff
from playtest.people.participants import linked_records
from playtest.rules.custody import PUBLIC
from playtest.studio.models import TAKEN, Environment, ReleaseSet, Sighting, SightingKind


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


@dataclass(frozen=True)
class SetExposure:
    """One release set: what it has now, who ever saw that, and what agents were told and saw in it.

    `accounts`, `people` and `taken` are of the environments that are in it now, whenever they were seen;
    keys, runs and scores of the environments that were in it then. A scored file of answers to static tasks
    is a score too.
    """

    release_set: ReleaseSet
    environments: int
    keys_allowed: int
    keys_that_saw: int
    accounts: int
    people: int
    taken: int
    runs: int
    scores: int
    last_score_at: datetime | None


@dataclass
class EnvironmentExposure:
    """One environment with who saw it, and how many disclosed scores its runs are part of."""

    environment: Environment
    scores: int = 0
    seen: list[Seen] = field(default_factory=list)
    sightings: list[AccountSeen] = field(default_factory=list)
    tested: list[Tested] = field(default_factory=list)

    @property
    def keys(self) -> list[ApiKey]:
        """Each key that saw it once."""
        return list(dict.fromkeys(one.key for one in self.seen))

    @property
    def runs(self) -> int:
        return sum(one.runs for one in self.seen)

    @property
    def actions(self) -> int:
        return sum(one.actions for one in self.seen)

    @property
    def accounts(self) -> list[Account]:
        """Each account that saw it once, by name."""
        return sorted({one.account for one in self.sightings})

    @property
    def people(self) -> int:
        """How many people were tested on it."""
        return len({one.person for one in self.tested})

    @property
    def taken(self) -> int:
        return taken(self.sightings)

    @property
    def first_at(self) -> datetime:
        return min(first for first, _ in self._moments)

    @property
    def last_at(self) -> datetime:
        return max(last for _, last in self._moments)

    @property
    def _moments(self) -> list[tuple[datetime, datetime]]:
        """The first and the last moment of everybody who saw it."""
        return [
            *((one.first_at, one.last_at) for one in self.seen),
            *((one.first_at, one.last_at) for one in self.sightings),
            *((one.first_at, one.last_at) for one in self.tested),
        ]

    @property
    def was_public(self) -> bool:
        """Whether a key saw it as part of the public set, in which it no longer is."""
        return self.environment.release_set != PUBLIC and any(one.release_set == PUBLIC for one in self.seen)


class ScoredFile(NamedTuple):
    """A file of answers to static tasks, and over how many tasks it was scored."""

    file: SubmissionFile
    tasks: int


def sets(found: Sequence[EnvironmentExposure]) -> list[SetExposure]:
    """Each set, from what `environments()` found; the environments in none if keys saw them there."""
    every = [_of_set(release_set, found) for release_set in (*SETS, ReleaseSet.NONE)]
    return [one for one in every if one.release_set != ReleaseSet.NONE or one.runs or one.scores]


def environments() -> list[EnvironmentExposure]:
    """Each environment that a key, an account or a person saw, by its id."""
    found: dict[int, EnvironmentExposure] = {}
    known = Environment.objects.in_bulk()

    def of(pk: int) -> EnvironmentExposure:
        return found.setdefault(pk, EnvironmentExposure(known[pk]))

    for seen_by_key in seen():
        of(seen_by_key.environment.pk).seen.append(seen_by_key)
    for sighting in accounts_seen():
        of(sighting.environment.pk).sightings.append(sighting)
    for one in tested():
        of(one.environment).tested.append(one)
    scores = Run.objects.filter(card__disclosures__isnull=False).values("environment")
    for pk, cards in scores.annotate(Count("card", distinct=True)).values_list("environment", "card__count"):
        of(pk).scores = cards
    return sorted(found.values(), key=lambda one: one.environment.code)


def scores() -> QuerySet[Disclosure]:
    """Every disclosed score with its card and key, newest first."""
    return Disclosure.objects.select_related("card__key").order_by("-at", "-pk")


def scored_files() -> list[ScoredFile]:
    """Every scored file of answers, also those taken off their board, newest first."""
    tasks = dict(ScoredTask.objects.values_list("file").annotate(Count("pk")))
    files = SubmissionFile.objects.defer("text").order_by("-imported_at", "-pk")
    return [ScoredFile(file, tasks.get(file.pk, 0)) for file in files]


def _of_set(release_set: ReleaseSet, found: Sequence[EnvironmentExposure]) -> SetExposure:
    runs = Run.objects.filter(release_set=release_set)
    told = Disclosure.objects.filter(release_set=release_set)
    files = SubmissionFile.objects.filter(release_set=release_set)
    moments = [*told.values_list("at", flat=True), *files.values_list("imported_at", flat=True)]
    in_use = ApiKey.objects.filter(revoked_at=None).values_list("sets", flat=True)
    in_it = [one for one in found if one.environment.release_set == release_set]
    return SetExposure(
        release_set=release_set,
        environments=Environment.objects.filter(release_set=release_set).count(),
        keys_allowed=sum(release_set in allowed for allowed in in_use),
        keys_that_saw=runs.values("card__key").distinct().count(),
        accounts=len({account for one in in_it for account in one.accounts}),
        people=len({tested.person for one in in_it for tested in one.tested}),
        taken=sum(one.taken for one in in_it),
        runs=runs.count(),
        scores=len(moments),
        last_score_at=max(moments, default=None),
    )
