"""Level results, which can be computed again from the journal, and baseline releases, which never change."""

from playtest.insight.models.releases import Release, ReleaseInput
from playtest.insight.models.results import LevelResult, Summary

__all__ = ["LevelResult", "Release", "ReleaseInput", "Summary"]
