"""Queries as a view runs them: after an update of the level results."""

from playtest.insight.compute.results import bring_up_to_date
from playtest.insight.pages.baseline.report import BaselineReport, baseline_report
from playtest.insight.pages.study.results import StudyResults, study_results
from playtest.insight.requests import find_version
from playtest.insight.scope import EVERYONE, Scope
from playtest.play.models import Attempt, Study
from playtest.studio.models import Version


def up_to_date() -> None:
    bring_up_to_date(Attempt.objects.all())


def version_of(code: str = "wk01") -> Version:
    up_to_date()
    return find_version(code)


def baseline_of(version: Version, scope: Scope = EVERYONE) -> BaselineReport:
    up_to_date()
    return baseline_report(version, scope)


def results_of(study: Study, *, with_excluded: bool = False) -> StudyResults:
    up_to_date()
    return study_results(Scope(study, with_excluded))
