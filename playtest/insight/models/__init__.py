"""Level results, which can be recomputed, and baseline releases, which never change."""

from playtest.insight.models.releases import Release, ReleaseInput
from playtest.insight.models.results import LevelResult, Summary

__all__ = ["LevelResult", "Release", "ReleaseInput", "Summary"]
