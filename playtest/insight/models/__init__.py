"""Summaries of the journal, which can be computed again, and baseline releases, which are frozen."""

from playtest.insight.models.releases import Release, ReleaseInput
from playtest.insight.models.results import LevelResult, Summary

__all__ = ["LevelResult", "Release", "ReleaseInput", "Summary"]
