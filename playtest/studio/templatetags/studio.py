"""Filters of studio templates: stages, counts, actions, chances, results of an import."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from django import template

from playtest.people.models import Staff
from playtest.people.roles import Right
from playtest.rules.cards import PRIOR_LABELS, Prior, sketch_text
from playtest.rules.labels import ACTION_LABELS
from playtest.rules.pipeline import NEEDS
from playtest.rules.protocol import DEFAULT
from playtest.studio.models import Environment, Exploration, GateWaiver, Qualification, RandomPlay
from playtest.studio.queries import waivers

_LONGEST_FRACTION = 30
_PLAIN_FRACTION = 7
"""A fraction of this length needs no decimals beside it."""
_OUTCOMES = {
    "imported": "imported",
    "new_version": "in a new version",
    "unchanged": "unchanged",
    "older_version": "in an older version",
    "waits": "waiting for approval",
    "approved": "approved",
    "declined": "declined",
    "gone": "withdrawn or replaced",
    "asks": "waiting for confirmation",
    "rejected": "rejected",
}

register = template.Library()
register.filter("sketch_text", sketch_text)


@register.filter
def stage(name: str) -> str:
    """A stage's name as a heading."""
    return name.capitalize()


@register.filter
def prior(name: str) -> str:
    """What a prior of a card is called."""
    return PRIOR_LABELS[Prior(name)]


@register.filter
def count(number: object) -> str:
    """A number with commas; an empty text for anything else."""
    return f"{number:,}" if isinstance(number, int | float) else ""


@register.filter
def numbers(count: int) -> range:
    """The numbers from 1 to this one."""
    return range(1, count + 1)


@register.filter
def action(stored: list[int | None]) -> str:
    """The name of an action that is stored as [id, x, y]."""
    identifier, x, y = stored
    label = ACTION_LABELS[identifier or 0]
    return label if x is None else f"{label} at {x}, {y}"


@register.filter
def chance(value: Mapping[str, Any] | None) -> str:
    """An exact chance, or the bounds it lies between."""
    if not value:
        return "unknown"
    lower, upper, exact = value["lower"], value["upper"], value.get("exact")
    if exact is not None and len(exact) <= _LONGEST_FRACTION:
        return str(exact) if len(exact) <= _PLAIN_FRACTION else f"{exact} ({upper:.4g})"
    if upper - lower <= 1e-6 * upper:
        return f"{upper:.4g}"
    return f"{lower:.2g} to {upper:.2g}"


@register.filter
def odds(chance: float) -> str:
    """A chance as the limit on it is said."""
    return DEFAULT.random_player.odds(chance)


@register.filter
def asked_by(job: Qualification | Exploration | RandomPlay) -> str:
    """Who asked for a job."""
    if job.requested_by is not None:
        return job.requested_by.get_username()
    came_along = job.requested_at < job.version.imported_at  # `services.shipped_evidence`
    return "the product's makers" if came_along else "the command line"


@register.filter
def outcomes(results: Iterable[Mapping[str, Any]], noun: str = "environment") -> str:
    """The results of an import, such as "2 environments imported, 1 rejected"."""
    counts = Counter(result["status"] for result in results)
    parts = [(counts[status], label) for status, label in _OUTCOMES.items() if counts[status]]
    if not parts:
        return f"no {noun}"
    (first, label), *others = parts
    nouns = noun if first == 1 else f"{noun}s"
    return ", ".join([f"{first:,} {nouns} {label}", *(f"{number:,} {text}" for number, text in others)])


@register.simple_tag
def granted_waivers(environment: Environment, known: list[GateWaiver] | str = "") -> list[GateWaiver]:
    """The waivers in force; those that are `known` already where they are given."""
    if isinstance(known, list):
        return known
    return [*waivers.granted([environment])[environment.pk].values()]


@register.simple_tag
def waiver_steps(environment: Environment) -> list[GateWaiver]:
    """The newest step of each waiver."""
    return [*waivers.newest([environment])[environment.pk].values()]


@register.filter
def waivable(environment: Environment) -> list[tuple[str, str]]:
    """The open needs of its gates that can be waived, each with its description."""
    return [(need.value, NEEDS[need]) for need in waivers.waivable(environment)]


@register.filter
def may(reader: Staff, right: str) -> bool:
    """Whether somebody has a right, by its name."""
    return reader.may(Right[right])
