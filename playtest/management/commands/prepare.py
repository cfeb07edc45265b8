"""`manage.py prepare`: all that an installation needs before it serves. It can be repeated."""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError, CommandParser
from django.db import OperationalError
from django.db.models import QuerySet

from engine.play.source import TASKS
from playtest.insight.pages.board.board import facts_of
from playtest.insight.services import pipeline
from playtest.people.commands import CodedCommand
from playtest.people.models import Staff
from playtest.people.release import left_to_prepare
from playtest.people.roles import Role
from playtest.people.services import create_accounts
from playtest.people.sign_ins import end_those_without_an_end
from playtest.play.errors import Refusal
from playtest.play.models import Study
from playtest.play.models.study import center_currency
from playtest.play.sessions.studies import create_study
from playtest.rehearsal import demonstration
from playtest.review.services.withdrawal import erase_again
from playtest.rules.errors import RuleError
from playtest.rules.pipeline import MOVES_OF, WITH_PEOPLE, Need, Stage, find_move
from playtest.rules.protocol import default_in
from playtest.serve.deployment import file_lock, public
from playtest.studio.models import Environment, Version, WaiverState
from playtest.studio.models.environments import ReleaseSet
from playtest.studio.queries import waivers
from playtest.studio.services import LoadResult, load_environments
from playtest.studio.services.cards import CARD_FILE, take_card_file
from playtest.studio.services.first_frames import keep_missing_first_frames
from playtest.studio.services.shipped import proposals
from playtest.studio.services.shipped_evidence import EVIDENCE_FILE, take_evidence
from playtest.studio.services.tasks import load_tasks
from playtest.studio.services.waivers import waive

PILOT = "Pilot"
COMES = "It comes with the product"
SHIPPED = f"{COMES}; evidence of this does not come along yet."
"""Why what a new installation imports stands in External without what its gates ask for."""
ARRIVED = f"{COMES}, and so did the evidence."
"""Why a need is no longer waived."""
ACCOUNTS = {role.value: role for role in Role} | {
    "proctor-2": Role.PROCTOR,
    "researcher-2": Role.RESEARCHER,
    "researcher-3": Role.RESEARCHER,
}
"""Of a demonstration: an account for each role and, so that nobody shares one, for colleagues.

Three researchers can judge a session: two independently, and a third where they differ."""
FIRST, REST = "first", "rest"
"""What the first page needs; and what follows: recordings, static tasks and their demonstration, evidence."""


class Command(CodedCommand):
    help = "Apply migrations, import games and demonstrations, create the first study and the first accounts."
    requires_system_checks = []  # they import every page, and a second run has to be fast

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--games", type=Path, default=settings.GAMES_DIR, help="folder of environments to import"
        )
        parser.add_argument(
            "--without-demo",
            action="store_true",
            default=os.environ.get("PLAYTEST_DEMO") == "0",
            help="load no demonstration; PLAYTEST_DEMO=0 does the same",
        )
        parser.add_argument(
            "--only",
            choices=[FIRST, REST],
            help="`make up` does what the first page needs first, and the rest beside the server",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        games, only, with_demo = options["games"], options["only"], not options["without_demo"]
        try:
            _make_folders()
            if only != REST:
                with self._alone("prepare.lock"):
                    self._first(games, with_demo=with_demo, everything=only is None)
            if only != FIRST:
                with self._alone("rest-of-prepare.lock"):
                    self._rest(games, with_demo=with_demo)
        except OperationalError as error:
            message = f"{str(error).strip()}. Check DATABASE_URL, or DATA_DIR and its disk."
            raise CommandError(f"database_unusable: {message}") from error

    @contextmanager
    def _alone(self, name: str) -> Iterator[None]:
        def wait(_: str) -> None:
            self.stdout.write("another process is preparing the same data: waiting for it")

        with file_lock(settings.DATA_DIR / name, wait):
            yield

    def _first(self, games: Path, *, with_demo: bool, everything: bool) -> None:
        """What the first page needs. Notes whether anything is left, unless `everything` follows now."""
        with ThreadPoolExecutor(1) as beside:  # it compresses, and has nothing to do with the database
            assets = beside.submit(call_command, "build_assets")
            call_command("migrate", verbosity=0, interactive=False)
            assets.result()
        if ended := end_those_without_an_end():
            self.stdout.write(f"sign-ins of an earlier version, which had no end, are over: {ended}")
        if again := erase_again():
            self.stdout.write(f"people who had withdrawn after the restored backup, erased again: {again}")
        left = left_to_prepare()
        if not Study.objects.exists() and (left.exists() or not Version.objects.exists()):
            left.touch()
            public = ReleaseSet.PUBLIC
            self._load(load_environments(games, release_set=public, with_recordings=False))
        if not (everything or left.exists()):
            self._draw_first_frames()
        _make_study()
        if with_demo and left.exists():
            self._load_demonstration(demonstration.INTERACTIVE)
        accounts = ACCOUNTS if with_demo else {Role.LEAD.value: Role.LEAD}
        passwords = {} if Staff.objects.exists() else create_accounts(accounts)
        self._take_cards(games)
        if not left.exists():
            self._propose(games)
        self._print_addresses()
        self._print_passwords(passwords)

    def _rest(self, games: Path, *, with_demo: bool) -> None:
        left = left_to_prepare()
        if is_new := left.exists():
            if (tasks := games / TASKS).is_dir():
                self._load(load_tasks(tasks, release_set=ReleaseSet.PUBLIC))
            self._report(load_environments(games, only_known=True))
            self._take_evidence(games)
            if with_demo:
                self._load_demonstration(demonstration.TASKS)
                _load_agents()
        self._draw_first_frames()
        if with_demo:
            _fill_studio()
        if is_new:
            _end_waivers()
        left.unlink(missing_ok=True)

    def _load(self, results: list[LoadResult]) -> None:
        """Lets people meet what a new installation has."""
        self._report(results)
        _let_out({result.environment_id for result in results})

    def _report(self, results: list[LoadResult]) -> None:
        for result in results:
            if result.status in ("rejected", "asks"):
                self.stderr.write(f"environment {result.environment_id} {result.status}: {result.reason}")
            elif result.status != "unchanged":
                self.stdout.write(f"environment {result.environment_id}: {result.status.replace('_', ' ')}")

    def _propose(self, directory: Path) -> None:
        """Names what is shipped and was not loaded: an upgrade changes nothing that people play."""
        found = proposals(directory)
        if found:
            codes = ", ".join(f"{one.code} ({one.status})" for one in found)
            self.stdout.write(f"shipped and not loaded: {codes}. Load them on the page Import environments")

    def _draw_first_frames(self) -> None:
        if drawn := keep_missing_first_frames():
            self.stdout.write(f"first frames drawn of {drawn} environments that had none")

    def _take_evidence(self, directory: Path) -> None:
        """What comes with the product has evidence of its gates in a file."""
        for environment in _shipped().filter(current__isnull=False).select_related("current"):
            file = directory / environment.code / EVIDENCE_FILE
            if environment.current is None or not file.exists():
                continue
            try:
                take_evidence(environment.current, file)
            except RuleError as error:
                self.stderr.write(f"evidence {environment.code} rejected: {error}")

    def _take_cards(self, directory: Path) -> None:
        """What comes with the product has its card in a file; its author is the designer, or the lead."""
        waived = {"waivers__need": Need.CARD, "waivers__reason__startswith": COMES}
        shipped = Environment.objects.filter(card=None, **waived)
        first = Staff.objects.order_by("pk")
        author = first.filter(role=Role.DESIGNER).first() or first[0]
        for environment in shipped:
            file = directory / environment.code / CARD_FILE
            if not file.exists():
                continue
            try:
                take_card_file(environment, file, author)
            except RuleError as error:
                self.stderr.write(f"card {environment.code} rejected: {error}")

    def _load_demonstration(self, shown: demonstration.Demonstration) -> None:
        try:
            demonstration.load(shown)
        except Refusal as refusal:  # other environments than those that were played
            self.stderr.write(f"demonstration not loaded: {refusal.code}: {refusal.message}")

    def _print_addresses(self) -> None:
        root = settings.CENTER_URL.rstrip("/")
        self.stdout.write(f"participants: {root}/")
        self.stdout.write(f"staff:        {root}/staff/")
        if not public():
            self.stdout.write(f"play at once: {root}/try-out/ (a rehearsal, a new one each time)")

    def _print_passwords(self, passwords: dict[str, str]) -> None:
        if not passwords:
            return
        self.stdout.write("staff accounts, shown only now (name, password):")
        for name, password in passwords.items():
            self.stdout.write(f"  {name:<12} {password}")
        root = settings.CENTER_URL.rstrip("/")
        self.stdout.write(f"one account for each person: make more at {root}/staff/accounts/")


def _make_study() -> None:
    """A new installation has a study for participants, with every environment in External."""
    imported = Environment.objects.filter(current__isnull=False, stage__in=WITH_PEOPLE).order_by("code")
    pool = [one for one in imported if one.kind.has_levels]
    if pool and not Study.objects.exists():
        create_study(None, name=PILOT, pool=pool, protocol=default_in(center_currency()))


def _let_out(codes: set[str]) -> None:
    """Moves what a new installation imports to External; what its gates miss is waived."""
    for environment in Environment.objects.filter(code__in=codes, moves=None, current__isnull=False):
        for after in (Stage.INTERNAL, Stage.EXTERNAL):
            facts = facts_of(environment)
            needs = find_move(Stage(environment.stage), after, MOVES_OF[environment.kind]).needs
            missing = [need for need in needs if not facts[need].met]
            for need in missing:
                waive(environment, need, SHIPPED, None)
            pipeline.move(environment, after, None, SHIPPED)


def _shipped() -> QuerySet[Environment]:
    """What came with the product into a new installation."""
    return Environment.objects.filter(waivers__reason__startswith=COMES).distinct()


def _end_waivers() -> None:
    """What the first page waived, because its evidence was not read yet, is waived no longer."""
    for environment in _shipped():
        facts = facts_of(environment)
        for need, waiver in waivers.granted([environment])[environment.pk].items():
            if waiver.by is None and facts[need].met and not facts[need].waived:
                waive(environment, need, ARRIVED, None, WaiverState.ENDED)


def _fill_studio() -> None:
    from playtest.rehearsal.demonstration_studio import fill_studio  # slow to import

    if study := Study.objects.filter(name=demonstration.INTERACTIVE.name, rehearsal=True).first():
        fill_studio(study)


def _load_agents() -> None:
    from playtest.rehearsal.demonstration_agents import load_agents  # slow to import

    load_agents()


def _make_folders() -> None:
    settings.DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
    for name in ("messages", "control"):
        (settings.DATA_DIR / "broker" / name).mkdir(parents=True, exist_ok=True)
