"""The protocols that the sessions behind some results follow, as the sentences of a page name them."""

from collections.abc import Collection, Sequence
from dataclasses import replace

import polars as pl

from playtest.insight.scope import Scope
from playtest.play.models import ProtocolVersion
from playtest.rules.attempt import AttemptRule


def mixture_of(attempts: pl.DataFrame) -> str:
    """A sentence where these ATTEMPT rows follow different protocols, else ""."""
    return mixture(attempts["protocol"].unique().to_list())


def mixture(keys: Collection[int]) -> str:
    """A sentence where these protocol versions prescribe different things, else "".

    Versions that differ in nothing but the pool count as one: no rule for an attempt differs.
    """
    if len(keys) < 2:
        return ""
    versions = list(ProtocolVersion.objects.filter(pk__in=keys).order_by("number"))
    if len({replace(version.value, environments=()).digest for version in versions}) < 2:
        return ""
    studies = len({version.study_id for version in versions})
    if studies == 1:
        return f"These results combine versions {_listed([one.number for one in versions])} of the protocol."
    return f"These results combine {len(versions)} versions of protocols, from {studies} studies."


def rules_of(attempts: pl.DataFrame, scope: Scope) -> list[AttemptRule]:
    """What counts as an attempt for these ATTEMPT rows, each rule once; without rows, the scope's rule."""
    columns = ("minimum_actions", "maximum_seconds")
    found = [AttemptRule(*row) for row in attempts.select(columns).unique().sort(columns).iter_rows()]
    return found or [scope.protocol.attempt]


def rule_text(rules: Sequence[AttemptRule]) -> str:
    """What counts, such as "more than N actions and less than M minutes of interaction"."""
    return " or, by another version of the protocol, ".join(rule.description for rule in rules)


def too_few_text(rules: Sequence[AttemptRule]) -> str:
    """The numbers of actions that are too few for an attempt, such as "N actions or fewer"."""
    numbers = dict.fromkeys(str(rule.minimum_actions) for rule in rules)
    return f"{' or '.join(numbers)} actions or fewer"


def _listed(numbers: Sequence[int]) -> str:
    return f"{', '.join(map(str, numbers[:-1]))} and {numbers[-1]}"
