"""The options by which a command names a version."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db.models import F

from playtest.studio.models import Version


def version_named(code: str, digest: str | None) -> Version:
    """The current version of an environment, or the one whose digest begins so; CommandError without one."""
    versions = Version.objects.select_related("environment").filter(environment__code=code)
    if not versions.exists():
        raise CommandError(f"environment_unknown: there is no environment {code!r} here.", returncode=2)
    if digest is None:
        current = versions.filter(pk=F("environment__current")).first()
        if current is None:
            message = f"version_unknown: {code} has only drafts: name one with --version."
            raise CommandError(message, returncode=2)
        return current
    found = list(versions.filter(digest__startswith=digest)[:2])
    if len(found) != 1:
        which = f"two versions of {code} begin" if found else f"no version of {code} begins"
        raise CommandError(f"version_unknown: {which} with {digest!r}.", returncode=2)
    return found[0]


class VersionCommand(BaseCommand):
    """A command about one version: it takes `ID [--version DIGEST]`, which `version_named` looks up."""

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        # Django has a --version of its own, which nobody misses here.
        return super().create_parser(prog_name, subcommand, conflict_handler="resolve", **kwargs)

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("id", help="the environment's four-character id")
        parser.add_argument(
            "--version", metavar="DIGEST", help="a version's digest or its beginning; default: current"
        )
