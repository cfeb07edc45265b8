"""Stores what an environment is: title, note, owner, set, and which of its versions is current."""

from collections.abc import Iterable, Mapping

from django.db import transaction

from playtest.people.models import Staff
from playtest.studio.models import Environment, Version
from playtest.studio.models.environments import ReleaseSet


def describe(
    environment: Environment, *, title: str, note: str, owner: Staff | None, release_set: str
) -> None:
    """Stores a description. An import replaces the title by a new version's, and the note by the folder's."""
    fields = {"title": title.strip(), "note": note.strip(), "owner": owner, "release_set": release_set}
    for name, value in fields.items():
        setattr(environment, name, value)
    environment.save(update_fields=list(fields))


def make_current(version: Version, *, title: str, note: str) -> None:
    """Makes a version the current one, with its note; of another one than before it takes the title.

    What is empty leaves what staff have written.
    """
    environment = Environment.objects.get(pk=version.environment_id)
    if environment.current_id != version.pk or not environment.title:
        environment.title = title[:100]
    environment.current = version
    environment.note = note or environment.note
    environment.save(update_fields=["current", "title", "note"])


def roll_back(version: Version, current: Version | None) -> str:
    """Why an import of a known version would take a current one back, with a code; "" if it would not."""
    if current is None or current == version or version.imported_at >= current.imported_at:
        return ""
    own, later = (f"{one.digest[:8]} of {one.imported_at:%Y-%m-%d}" for one in (version, current))
    return f"rolls_back: version {own} came before the current one, {later}"


def fill_set(codes: Iterable[str], release_set: str) -> int:
    """Puts those of these environments that are in no set into one; returns how many."""
    loose = Environment.objects.filter(code__in=list(codes), release_set=ReleaseSet.NONE)
    return loose.update(release_set=release_set)


def assign_sets(chosen: Mapping[int, str]) -> None:
    """Stores the set of each environment, by its pk; all of them or none."""
    with transaction.atomic():
        for release_set in set(chosen.values()):
            members = [pk for pk, name in chosen.items() if name == release_set]
            Environment.objects.filter(pk__in=members).update(release_set=release_set)
