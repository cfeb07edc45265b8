"""Which environments a key may play, and by which id."""

from collections.abc import Collection

from django.db.models import F

from playtest.studio.models import ReleaseSet, Version


def offered(sets: Collection[str]) -> list[Version]:
    """The current version of every environment of these release sets, by code."""
    return list(_offered(sets).order_by("environment__code"))


def offered_by_id(sets: Collection[str], game_id: str) -> Version | None:
    """The version with this id, or the current one of the environment with this code; None if not offered."""
    code = game_id.partition("-")[0]
    version = _offered(sets).filter(environment__code=code).first()
    return version if version is not None and game_id in (code, game_id_of(version)) else None


def game_id_of(version: Version) -> str:
    """The official id, the code and the version, such as "ls20-9607627b"."""
    return version.game_id if "-" in version.game_id else f"{version.game_id}-{version.digest[:8]}"


def _offered(sets: Collection[str]):  # type: ignore[no-untyped-def]
    chosen = [one for one in sets if one != ReleaseSet.NONE]
    versions = Version.objects.filter(pk=F("environment__current"), environment__release_set__in=chosen)
    return versions.select_related("environment")
