"""`manage.py export_person PARTICIPANT FILE.zip`: all that is stored of one person, in readable form."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from playtest.people.commands import CodedCommand
from playtest.people.roles import Right
from playtest.review.management.commands.withdraw import staff_with
from playtest.review.services.person_export import export_now
from playtest.review.services.withdrawal import find_participant


class Command(CodedCommand):
    help = "Write all that is stored of a person into a new ZIP file. That it was done is recorded."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("participant", help="pseudonym or recruiter's reference")
        parser.add_argument("file", type=Path, metavar="FILE.zip", help="a file that does not exist yet")
        parser.add_argument("--by", metavar="ACCOUNT", help="the staff account on whose behalf")
        parser.add_argument(
            "--held-out", action="store_true", help="with pictures of environments that are not public"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        person = find_participant(options["participant"])
        if person is None:
            raise CommandError("participant_unknown: nobody has this pseudonym or reference.")
        staff = staff_with(Right.TAKE_IDENTIFIED, options["by"])
        try:
            export_now(person, options["file"], staff, held_out=options["held_out"])
        except FileExistsError as error:
            raise CommandError(f"file_exists: {error.filename} is there already. Name another.") from error
        except OSError as error:
            raise CommandError(f"writing_failed: {error}") from error
        self.stdout.write(f"{options['file']}: all data of {person.label}")
