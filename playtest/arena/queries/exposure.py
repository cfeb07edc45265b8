"""How much of each set has left: disclosed scores, and the keys, accounts and people that saw it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from django.db.models import Count, QuerySet

from playtest.arena.models import ApiKey, Disclosure, Run, ScoredTask, SubmissionFile
from playtest.arena.queries.accounts import Account, AccountSeen, Tested, accounts_seen, taken, tested
from playtest.arena.queries.key_use import Seen, seen
from playtest.arena.services.keys import SETS
from playtest.rules.custody import PUBLIC
from playtest.studio.models import Environment, ReleaseSet


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
