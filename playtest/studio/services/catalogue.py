"""Stores what staff write about an environment: title, note, owner and set."""

from collections.abc import Mapping

from django.db import transaction

from playtest.people.models import Staff
from playtest.studio.models import Environment


def describe(
    environment: Environment, *, title: str, note: str, owner: Staff | None, release_set: str
) -> None:
    """Stores a description. An import replaces the title by a new version's, and the note by the folder's."""
    fields = {"title": title.strip(), "note": note.strip(), "owner": owner, "release_set": release_set}
    for name, value in fields.items():
        setattr(environment, name, value)
    environment.save(update_fields=list(fields))


def assign_sets(chosen: Mapping[int, str]) -> None:
    """Stores the set of each environment, by its pk; all of them or none."""
    with transaction.atomic():
        for release_set in set(chosen.values()):
            members = [pk for pk, name in chosen.items() if name == release_set]
            Environment.objects.filter(pk__in=members).update(release_set=release_set)
