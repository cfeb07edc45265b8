"""How much of each set has left: disclosed scores, and the keys, accounts and people that saw it."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True)
class EnvironmentExposure:
    """One environment with who saw it, and how many disclosed `scores` its runs are part of.

    Each key, account (by name) and person (their number) is there once. `taken`: on how many days an account
    took its play or source as a file. `was_public`: a key saw it as part of the public set, in which it no
    longer is.
    """

    environment: Environment
    scores: int
    keys: list[ApiKey]
    runs: int
    actions: int
    sightings: list[AccountSeen]
    accounts: list[Account]
    taken: int
    people: set[int]
    first_at: datetime
    last_at: datetime
    was_public: bool


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
    found: dict[int, tuple[list[Seen], list[AccountSeen], list[Tested]]] = defaultdict(lambda: ([], [], []))
    for by_key in seen():
        found[by_key.environment.pk][0].append(by_key)
    for by_account in accounts_seen():
        found[by_account.environment.pk][1].append(by_account)
    for by_person in tested():
        found[by_person.environment][2].append(by_person)
    scored = Run.objects.filter(card__disclosures__isnull=False).values("environment")
    scores = dict(scored.annotate(Count("card", distinct=True)).values_list("environment", "card__count"))
    known = Environment.objects.in_bulk(found)
    every = [_exposure(known[pk], scores.get(pk, 0), *rows) for pk, rows in found.items()]
    return sorted(every, key=lambda one: one.environment.code)


def _exposure(
    environment: Environment,
    scores: int,
    by_keys: list[Seen],
    sightings: list[AccountSeen],
    people: list[Tested],
) -> EnvironmentExposure:
    everybody: list[Seen | AccountSeen | Tested] = [*by_keys, *sightings, *people]
    return EnvironmentExposure(
        environment=environment,
        scores=scores,
        keys=list(dict.fromkeys(one.key for one in by_keys)),
        runs=sum(one.runs for one in by_keys),
        actions=sum(one.actions for one in by_keys),
        sightings=sightings,
        accounts=sorted({one.account for one in sightings}),
        taken=sum(one.days for one in sightings if one.kind in TAKEN),
        people={one.person for one in people},
        first_at=min(one.first_at for one in everybody),
        last_at=max(one.last_at for one in everybody),
        was_public=environment.release_set != PUBLIC and any(one.release_set == PUBLIC for one in by_keys),
    )


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
        people=len({person for one in in_it for person in one.people}),
        taken=sum(one.taken for one in in_it),
        runs=runs.count(),
        scores=len(moments),
        last_score_at=max(moments, default=None),
    )
