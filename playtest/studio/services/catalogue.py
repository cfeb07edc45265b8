"""Stores what an environment is: title, note, owner, set, and which of its versions is current."""

from collections.abc import Mapping

from django.db import transaction

from playtest.people.models import Staff
from playtest.studio.models import Environment, Version


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


def assign_sets(chosen: Mapping[int, str]) -> None:
    """Stores the set of each environment, by its pk; all of them or none."""
    with transaction.atomic():
        for release_set in set(chosen.values()):
            members = [pk for pk, name in chosen.items() if name == release_set]
            Environment.objects.filter(pk__in=members).update(release_set=release_set)
