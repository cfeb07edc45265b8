"""What commands share: options that name a version, results of imports, an end on a signal."""

import json
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser, OutputWrapper
from django.db.models import F

from playtest.studio.models import Version
from playtest.studio.services.loading import LoadResult


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


@contextmanager
def termination_interrupts() -> Iterator[None]:
    """Treats SIGTERM like Ctrl-C."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def print_results(output: OutputWrapper, results: Sequence[LoadResult], *, as_json: bool, none: str) -> None:
    """A line for each result, or one of JSON for all; `none` is said where there is no result."""
    if as_json:
        output.write(json.dumps([result.as_json() for result in results]))
        return
    for result in results:
        reason = f" ({result.reason})" if result.reason else ""
        output.write(f"{result.environment_id}: {result.status.replace('_', ' ')}{reason}")
    if not results:
        output.write(none)
