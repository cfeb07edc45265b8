"""`manage.py pay`: totals of pay and hours by study, and whether the ledger adds up."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from playtest.center.pay.differences import report
from playtest.play.models import Study
from playtest.play.models.study import held_here


class Command(BaseCommand):
    help = "Print the totals of pay of each study. Exit status 1 if a ledger does not add up."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--study", type=int, help="the number of one study, which may be a rehearsal")
        parser.add_argument("--json", action="store_true", help="print a list with an object for each study")

    def handle(self, *args: Any, **options: Any) -> None:
        number = options["study"]
        studies = list(Study.objects.filter(pk=number) if number else Study.objects.filter(held_here()))
        if number and not studies:
            raise CommandError(f"study_unknown: there is no study {number}.")
        reports = {study: report(study) for study in studies}
        if options["json"]:
            self.stdout.write(json.dumps(list(reports.values()), indent=1))
        else:
            for study, found in reports.items():
                self._write(study, found)
        if wrong := sum(len(found["differences"]) for found in reports.values()):
            raise CommandError(f"pay_differs: {wrong} thing{'' if wrong == 1 else 's'} do not add up.")

    def _write(self, study: Study, found: dict[str, Any]) -> None:
        self.stdout.write(
            f"{study.pk}  {study.name}: {found['sessions']} sessions, {found['session_hours']:.1f} hours,"
            f" owed {found['owed']}, paid {found['paid']}, waiting {found['waiting']},"
            f" expected {found['expected']}, budget {found['cap'] or 'none'}"
        )
        for one in found["differences"]:
            self.stdout.write(f"    {one['code']}: {one['sentence']}")
