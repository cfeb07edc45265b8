"""What commands share: options naming a version, imports, jobs done at once, an end on a signal."""

import json
import signal
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.db.models import F

from playtest.jobs.models import JobStatus
from playtest.people.commands import CodedCommand
from playtest.rules.errors import RuleError
from playtest.studio.models import Exploration, RandomPlay, Version
from playtest.studio.models.environments import ReleaseSet
from playtest.studio.services.catalogue import fill_set
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


class VersionCommand(CodedCommand):
    """A command about one version: it takes `ID [--version DIGEST]`, which `version_named` looks up."""

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        # Django has a --version of its own, which nobody misses here.
        return super().create_parser(prog_name, subcommand, conflict_handler="resolve", **kwargs)

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("id", help="the environment's four-character id")
        parser.add_argument(
            "--version", metavar="DIGEST", help="a version's digest or its beginning; default: current"
        )


class ImportCommand(CodedCommand):
    """A command that imports from a place: whoever derives says what is found there, and imports it."""

    argument, argument_help = "directory", ""

    def load(self, place: Path, confirmed: Collection[str] | None) -> list[LoadResult]:
        """The results; raises EngineError if nothing can be imported."""
        raise NotImplementedError

    def nothing(self, place: Path) -> str:
        """What is said where there is no result."""
        raise NotImplementedError

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(self.argument, type=Path, metavar="DIR", help=self.argument_help)
        set_help = "put what is in no set yet into this one, so that agents can play it"
        yes_help = "also replace current versions by older ones or another author's"
        parser.add_argument("--set", choices=ReleaseSet.values, default=ReleaseSet.NONE, help=set_help)
        parser.add_argument("--yes", action="store_true", help=yes_help)
        parser.add_argument("--json", action="store_true", help="print the results as JSON, and nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        place = options[self.argument].resolve()
        results = self.load(place, None if options["yes"] else ())
        fill_set((one.environment_id for one in results), options["set"])
        if options["json"]:
            self.stdout.write(json.dumps([result.as_json() for result in results]))
            return
        for result in results:
            reason = f" ({result.reason})" if result.reason else ""
            self.stdout.write(f"{result.environment_id}: {result.status.replace('_', ' ')}{reason}")
        if asking := sum(result.status == "asks" for result in results):
            self.stdout.write(f"{asking} of them replaced nothing: the same command with --yes does it.")
        if not results:
            self.stdout.write(self.nothing(place))


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


def do_now[J: (Exploration, RandomPlay)](
    make: Callable[[], J], work: Callable[[int], object], cancel: Callable[[int], object]
) -> J:
    """A job that is made and done here, as it is once it is done. CommandError if it cannot be, or is not."""
    try:
        row = make()
    except RuleError as refusal:
        raise CommandError(str(refusal), returncode=2) from refusal
    try:
        with termination_interrupts():
            work(row.pk)
    except KeyboardInterrupt:
        pass
    finally:
        cancel(row.pk)
    row.refresh_from_db()
    if row.status != JobStatus.DONE:
        raise CommandError(row.error or "cancelled: it was not done to its end.", returncode=2)
    return row
