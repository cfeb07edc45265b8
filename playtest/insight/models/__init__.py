"""Level results, which can be recomputed; releases, preregistrations and reports, which never change."""

from playtest.insight.models.preregistrations import Preregistration, RegistryLink
from playtest.insight.models.releases import Release, ReleaseInput
from playtest.insight.models.reports import ReleasedReport, ReportAnswer
from playtest.insight.models.results import LevelResult, Summary

__all__ = [
    "LevelResult",
    "Preregistration",
    "RegistryLink",
    "Release",
    "ReleaseInput",
    "ReleasedReport",
    "ReportAnswer",
    "Summary",
]
