"""Which migrations this version has, by the names of their files: to load them all takes half a second."""

from importlib.util import find_spec
from pkgutil import iter_modules

from django.apps import apps
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder


def migrations_here() -> set[tuple[str, str]]:
    """App and name of every migration that this version has."""
    packages = {app.label: MigrationLoader.migrations_module(app.label)[0] for app in apps.get_app_configs()}
    places = {label: find_spec(package) for label, package in packages.items() if package}
    return {
        (label, one.name)
        for label, place in places.items()
        for one in iter_modules(place.submodule_search_locations if place else [])
        if not one.ispkg and one.name[0] not in "_~"
    }


def is_migrated() -> bool:
    """Whether all of them are applied. Raises DatabaseError.

    `migrate` records the name of a squashed one, too, once all that it replaces are applied.
    """
    return migrations_here() <= MigrationRecorder(connection).applied_migrations().keys()
