"""`manage.py withdraw PARTICIPANT --confirm PSEUDONYM`: deletes a participant's data."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from playtest.people.commands import CodedCommand
from playtest.people.models import Participant, Staff
from playtest.people.roles import Right
from playtest.review.services.withdrawal import data_counts, find_participant, sentences_before, withdraw


class Command(CodedCommand):
    help = "Delete a participant's data. Without --confirm it only says what would be deleted."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("participant", help="pseudonym or recruiter's reference")
        parser.add_argument("--confirm", metavar="PSEUDONYM", help="the pseudonym, to really delete")
        parser.add_argument("--by", metavar="ACCOUNT", help="the staff account on whose behalf")

    def handle(self, *args: Any, **options: Any) -> None:
        person = find_participant(options["participant"])
        if person is None:
            raise CommandError("participant_unknown: nobody has this pseudonym or reference.")
        before = "\n".join(sentences_before(person))
        staff = staff_with(Right.WITHDRAW, options["by"])
        if options["confirm"] is None:
            self._list_data(person)
            if before:
                self.stdout.write(before)
            return
        if options["confirm"].upper() != person.label.upper():
            raise CommandError(f"confirmation_wrong: --confirm must be {person.label}. Nothing was deleted.")
        done = withdraw(person, staff)
        for name, count in done.removed.items():
            self.stdout.write(f"{name}: {count} deleted")
        if before:
            self.stdout.write(before)

    def _list_data(self, person: Participant) -> None:
        for name, count in data_counts(person).items():
            self.stdout.write(f"{name}: {count}")
        self.stdout.write(f"To delete all this for ever, add: --confirm {person.label}")


def staff_with(right: Right, name: str | None) -> Staff | None:
    """The account of this name, if one is named; it needs the right."""
    if name is None:
        return None
    staff = Staff.objects.filter(username=name).first()
    if staff is None or not staff.may(right):
        raise CommandError(f"right_missing: {name!r} is not a staff account with this right.")
    return staff
