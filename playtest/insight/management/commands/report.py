"""`manage.py report STUDY`: prints what a paper must report about a study's human baseline."""

import sys
from typing import Any

from django.core.management.base import CommandError, CommandParser

from playtest.insight.models import ReleasedReport
from playtest.insight.pages.baseline.releases import find_release
from playtest.insight.paper.report.build import report_of
from playtest.insight.paper.report.views import FORMATS
from playtest.insight.services.reports import bring_studies_up_to_date
from playtest.people.commands import CodedCommand
from playtest.play.models import Study
from playtest.rules.document import value_of
from playtest.rules.reporting.document import Report
from playtest.rules.text import whole_number


class Command(CodedCommand):
    help = (
        "Print every item of the reporting checklist for human baselines: what the record says, and what"
        " people answered. Items without an answer are listed on the error output."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", metavar="STUDY", help="the study's name or its number")
        parser.add_argument("--format", choices=sorted(FORMATS), default="markdown")
        parser.add_argument(
            "--release",
            metavar="ID:NUMBER",
            help="as it stood when this baseline was released, such as ab12:3",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        study = _study(options["study"])
        found = _released(study, options["release"]) if options["release"] else _today(study)
        written = FORMATS[options["format"]].write(found)
        if isinstance(written, bytes):
            sys.stdout.buffer.write(written)
        else:
            self.stdout.write(written, ending="")
        for entry in found.missing:
            self.stderr.write(f"not answered: {entry.number} {entry.title}: {entry.asked}")


def _study(name: str) -> Study:
    number = whole_number(name)
    found = Study.objects.filter(name=name).first() or Study.objects.filter(pk=number or 0).first()
    if found is None:
        raise CommandError(f"study_unknown: there is no study {name!r}.")
    return found


def _today(study: Study) -> Report:
    bring_studies_up_to_date([study])
    return report_of(study)


def _released(study: Study, name: str) -> Report:
    code, _, number = name.partition(":")
    release = find_release(code, whole_number(number) or 0)
    stored = ReleasedReport.objects.filter(release=release, study=study).first()
    if stored is None:
        raise CommandError(f"report_unknown: {release} has no report of {study.name}.")
    return value_of(Report, stored.document)
