"""Addresses of the evidence behind facts."""

from django.urls import reverse

from playtest.insight.report.gathered import Gathered


def study_link(found: Gathered) -> str:
    """The page of the study."""
    return reverse("insight:study", args=[found.study.pk])


def protocol_link(found: Gathered) -> str:
    """All versions of the study's protocol."""
    return reverse("play:protocol-versions", args=[found.study.pk])


def tasks_link(found: Gathered) -> str:
    """The numbers of the study's static tasks."""
    return reverse("insight:study-tasks", args=[found.study.pk])
