"""Level results, which can be recomputed; baseline releases and preregistrations, which never change."""

from playtest.insight.models.preregistrations import Preregistration, RegistryLink
from playtest.insight.models.releases import Release, ReleaseInput
from playtest.insight.models.results import LevelResult, Summary

__all__ = ["LevelResult", "Preregistration", "RegistryLink", "Release", "ReleaseInput", "Summary"]
