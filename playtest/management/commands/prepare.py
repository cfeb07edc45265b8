"""`manage.py prepare`: all that an installation needs before it serves. It can be repeated."""

import os
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import OperationalError, transaction

from engine.errors import SourceError, TaskError
from engine.source import TASKS
from playtest.people.models import Staff
from playtest.people.roles import Role
from playtest.people.services import create_missing_staff
from playtest.play.models import Study
from playtest.play.sessions.studies import create_study
from playtest.rules.errors import RuleError
from playtest.rules.kinds import Kind
from playtest.serve.deployment import file_lock
from playtest.studio.models import Environment
from playtest.studio.models.environments import ReleaseSet
from playtest.studio.services import load_environments
from playtest.studio.services.cards import CARD_FILE, take_card_file, waive_card
from playtest.studio.services.first_frames import keep_missing_first_frames
from playtest.studio.services.tasks import load_tasks

PILOT = "Pilot"
UNFINISHED, UNFINISHED_TASKS = "Demonstration (unfinished)", "Demonstration of static tasks (unfinished)"
"""The names of these studies until they are complete; the next `prepare` repeats what is not."""
DEMONSTRATED, DEMONSTRATED_TASKS = 6, 12
"""Environments and tasks of a demonstration, at most: what a sitting has room for."""

WITHOUT_CARD = "It comes with the product."
"""Why the gate to Internal asks what a new installation imports for no specification card."""


class Command(BaseCommand):
    help = "Apply migrations, import the games folder, create the first studies and an account for each role."
    requires_system_checks = []  # they import every page, and a second run has to be fast

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--games", type=Path, default=settings.GAMES_DIR, help="folder of environments to import"
        )
        parser.add_argument(
            "--without-demo",
            action="store_true",
            default=os.environ.get("PLAYTEST_DEMO") == "0",
            help="make no demonstration; PLAYTEST_DEMO=0 does the same",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        with ExitStack() as stack:
            try:
                _make_folders()
                stack.enter_context(file_lock(settings.DATA_DIR / "prepare.lock", self._wait))
            except OSError as error:
                raise CommandError(f"data_dir_unusable: {error}") from error
            try:
                self._prepare(options)
            except OperationalError as error:
                message = f"{str(error).strip()}. Check DATABASE_URL, or DATA_DIR and its disk."
                raise CommandError(f"database_unusable: {message}") from error

    def _wait(self, _: str) -> None:
        self.stdout.write("another process is preparing the same data: waiting for it")

    def _prepare(self, options: dict[str, Any]) -> None:
        call_command("build_assets")
        call_command("migrate", verbosity=0, interactive=False)
        self._load(options["games"])
        if drawn := keep_missing_first_frames():
            self.stdout.write(f"first frames drawn of {drawn} environments that had none")
        _make_studies(with_demo=not options["without_demo"])
        if not options["without_demo"]:
            self._make_demonstration()
        passwords = create_missing_staff()
        self._take_cards(options["games"])
        self._print_addresses()
        self._print_passwords(passwords)
        if not options["without_demo"]:
            _fill_studio()

    def _load(self, directory: Any) -> None:
        # Only a new installation has no study. Later, nothing becomes public or goes without a card
        # unless staff say so.
        fresh = not Study.objects.exists()
        release_set = ReleaseSet.PUBLIC if fresh else ReleaseSet.NONE
        tasks = directory / TASKS
        try:
            results = load_environments(directory, only_new=True, release_set=release_set)
            if tasks.is_dir():
                results += load_tasks(tasks, only_new=True, release_set=release_set)
        except (SourceError, TaskError) as error:
            raise CommandError(f"{error.code}: {error.message}") from error
        for result in results:
            if result.status == "rejected":
                self.stderr.write(f"environment {result.environment_id} rejected: {result.reason}")
            elif result.status != "unchanged":
                self.stdout.write(f"environment {result.environment_id}: {result.status.replace('_', ' ')}")
        if fresh:
            _waive_cards({result.environment_id for result in results})

    def _take_cards(self, directory: Path) -> None:
        """What comes with the product has its card in a file; the account of the designer is its author."""
        shipped = Environment.objects.filter(card=None, card_waiver__reason=WITHOUT_CARD)
        author = Staff.objects.get(username=Role.DESIGNER)
        for environment in shipped:
            file = directory / environment.code / CARD_FILE
            if not file.exists():
                continue
            try:
                take_card_file(environment, file, author)
            except RuleError as error:
                self.stderr.write(f"card {environment.code} rejected: {error}")

    def _make_demonstration(self) -> None:
        """Makes the demonstration, if it is not complete. Prints an error and continues if that fails."""
        for study in Study.objects.filter(name__in=[UNFINISHED, UNFINISHED_TASKS]).order_by("pk"):
            self._make(study)

    def _make(self, study: Study) -> None:
        from playtest.management import demonstration  # slow to import, and needed once

        shown = demonstration.TASKS if study.name == UNFINISHED_TASKS else demonstration.INTERACTIVE
        self.stdout.write(f"{shown.name}: {shown.people} simulated participants play; finished: ", ending="")
        began = time.monotonic()
        try:
            demonstration.make(study, shown, self._count)
        except Exception as error:
            self.stdout.write("")
            self.stderr.write(f"demonstration failed; the next prepare tries again. {error}")
        else:
            self.stdout.write(f"({time.monotonic() - began:.0f} s)")

    def _count(self, done: int) -> None:
        self.stdout.write(f"{done} ", ending="")
        self.stdout.flush()

    def _print_addresses(self) -> None:
        self.stdout.write(f"participants: http://127.0.0.1:{settings.PORT}/")
        self.stdout.write(f"staff:        http://127.0.0.1:{settings.PORT}/staff/")

    def _print_passwords(self, passwords: dict[str, str]) -> None:
        if not passwords:
            return
        self.stdout.write("staff accounts, shown only now (name, password):")
        for name, password in passwords.items():
            self.stdout.write(f"  {name:<12} {password}")
        self.stdout.write("to change a password: .venv/bin/python manage.py changepassword lead")


def _make_studies(*, with_demo: bool) -> None:
    """A new installation has a study for participants, and a rehearsal of each kind for demonstrations."""
    imported = Environment.objects.filter(current__isnull=False).order_by("code")
    pool, tasks = list(imported.filter(kind=Kind.INTERACTIVE)), list(imported.filter(kind=Kind.TASK))
    if pool and not Study.objects.exists():
        with transaction.atomic():
            create_study(None, name=PILOT, pool=pool)
            if with_demo:
                played = pool[:DEMONSTRATED]
                create_study(None, name=UNFINISHED, pool=played, rehearsal=True, open=False)
                if tasks:
                    played = tasks[:DEMONSTRATED_TASKS]
                    create_study(None, name=UNFINISHED_TASKS, pool=played, rehearsal=True, open=False)


def _waive_cards(codes: set[str]) -> None:
    for environment in Environment.objects.filter(code__in=codes, card=None, card_waiver=None):
        waive_card(environment, WITHOUT_CARD, None)


def _fill_studio() -> None:
    from playtest.management.demonstration import NAME  # slow to import
    from playtest.management.studio_demonstration import fill_studio

    if study := Study.objects.filter(name=NAME, rehearsal=True).first():
        fill_studio(study)


def _make_folders() -> None:
    settings.DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
    for name in ("messages", "control"):
        (settings.DATA_DIR / "broker" / name).mkdir(parents=True, exist_ok=True)
