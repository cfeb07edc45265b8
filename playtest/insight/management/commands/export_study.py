"""`manage.py export_study NAME --to DIR`: a study's data as Parquet or CSV, or as a package."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from playtest.insight.paper.package.write import write_package
from playtest.people.commands import CodedCommand
from playtest.people.models import Staff
from playtest.play.models import Study
from playtest.review.services.dataset import Dataset, check_allowed, record_taken, write_dataset
from playtest.review.services.table_files import FORMATS, PARQUET


class Command(CodedCommand):
    help = (
        "Write a study's sessions, attempts, entries, level results, flags and decisions; print the digest."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", metavar="NAME")
        parser.add_argument("--to", required=True, type=Path, metavar="DIR")
        parser.add_argument("--format", choices=FORMATS, default=PARQUET)
        parser.add_argument(
            "--package",
            action="store_true",
            help="a data package: both formats, recordings, protocols, published figures and a program that"
            " computes these again",
        )
        parser.add_argument(
            "--public", action="store_true", help="with --package: times, seats and answers made coarse"
        )
        parser.add_argument(
            "--with-environments",
            action="store_true",
            help="with --package: the sources of what was played, if all of it is in the public set",
        )
        parser.add_argument(
            "--licence", default="", metavar="TEXT", help="with --package: what users are told"
        )
        parser.add_argument("--identified", action="store_true", help="include pseudonyms; needs --by")
        parser.add_argument("--by", metavar="ACCOUNT", help="the staff account on whose behalf")

    def handle(self, *args: Any, **options: Any) -> None:
        study = Study.objects.filter(name=options["study"]).first()
        if study is None:
            raise CommandError(f"study_unknown: there is no study named {options['study']!r}.")
        staff = _staff(options["by"])
        identified, form = options["identified"], options["format"]
        if not options["package"] and (
            options["public"] or options["with_environments"] or options["licence"]
        ):
            raise CommandError("package_missing: only a package has this: add --package.")
        try:
            check_allowed(staff, identified=identified)
            written = self._write(study, options, form)
        except OSError as error:
            raise CommandError(f"writing_failed: {error}") from error
        record_taken(study, form, staff, written, identified=identified)
        for name, count in written.rows.items():
            self.stdout.write(f"{name}: {count}")
        self.stdout.write(f"digest: {written.digest}")

    def _write(self, study: Study, options: dict[str, Any], form: str) -> Dataset:
        identified = options["identified"]
        if not options["package"]:
            return write_dataset(study, options["to"], form, identified=identified)
        made = write_package(
            study,
            options["to"],
            identified=identified,
            public=options["public"],
            with_environments=options["with_environments"],
            licence=options["licence"],
        )
        self.stdout.write(f"recordings: {made.recordings}")
        for attempt in made.damaged:
            self.stderr.write(f"record_damaged: attempt {attempt} has no recording: its record is damaged.")
        return made.dataset


def _staff(name: str | None) -> Staff | None:
    if name is None:
        return None
    staff = Staff.objects.filter(username=name).first()
    if staff is None:
        raise CommandError(f"staff_unknown: there is no staff account named {name!r}.")
    return staff
