"""Which environments a key may play, and by which id; which of them a competition scores unplayed."""

from collections.abc import Collection, Iterable

from django.db.models import F, Min, QuerySet

from playtest.arena.models import Run, Scorecard
from playtest.rules.kinds import Kind
from playtest.studio.models import ReleaseSet, Version


def offered(sets: Collection[str]) -> list[Version]:
    """The current version of every interactive environment of these release sets, by code.

    Programs answer static tasks with a file: their versions, which hold the solutions, are never offered.
    """
    return list(_offered(sets).order_by("environment__code"))


def offered_by_id(sets: Collection[str], game_id: str) -> Version | None:
    """The version with this id, or the current one of the environment with this code; None if not offered."""
    code = game_id.partition("-")[0]
    version = _offered(sets).filter(environment__code=code).first()
    return version if version is not None and game_id in (code, game_id_of(version)) else None


def game_id_of(version: Version) -> str:
    """The official id, the code and the version, such as "ls20-9607627b"."""
    return version.game_id if "-" in version.game_id else f"{version.game_id}-{version.digest[:8]}"


def unplayed(cards: Iterable[Scorecard]) -> dict[int, list[Version]]:
    """By card, what a competition card scores as 0 because it has no run there, in one query for all of them.

    That is the current version of each environment of the card's sets that was there when it was opened.
    """
    entered = [card for card in cards if card.competition]
    found = _offered({one for card in entered for one in card.sets})
    since = found.annotate(since=Min("environment__versions__imported_at")).order_by("environment__code")
    versions = list(since.defer("source"))
    played = set(Run.objects.filter(card__in=entered).values_list("card__pk", "environment"))
    return {
        card.pk: [
            version
            for version in versions
            if version.environment.release_set in card.sets
            and version.since <= card.opened_at
            and (card.pk, version.environment_id) not in played
        ]
        for card in entered
    }


def _offered(sets: Collection[str]) -> QuerySet[Version]:
    chosen = [one for one in sets if one != ReleaseSet.NONE]
    current = Version.objects.filter(pk=F("environment__current"), environment__kind=Kind.INTERACTIVE)
    versions = current.filter(environment__release_set__in=chosen)
    return versions.select_related("environment")
