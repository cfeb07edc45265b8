"""The protocols that the sessions behind some results follow, as pages and files name them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import polars as pl

from playtest.insight.scope import Scope
from playtest.insight.tables.results import IS_TASK
from playtest.play.models import ProtocolVersion
from playtest.rules.attempt import AttemptRule


@dataclass(frozen=True)
class Protocols:
    """The protocol versions that sessions follow, by study and number; none without a session."""

    versions: tuple[ProtocolVersion, ...] = ()

    @cached_property
    def mixture(self) -> str:
        """A sentence where the versions prescribe different things, else "".

        Versions that differ in nothing but the pool count as one: no rule for an attempt differs.
        """
        if len({replace(version.value, environments=()).digest for version in self.versions}) < 2:
            return ""
        studies = len({version.study_id for version in self.versions})
        if studies > 1:
            return (
                f"These results combine {len(self.versions)} versions of protocols, from {studies} studies."
            )
        numbers = _listed([version.number for version in self.versions])
        return f"These results combine versions {numbers} of the protocol."

    @cached_property
    def origins(self) -> list[str]:
        """Of each of their studies that is from outside, where its data are from."""
        return list(
            {
                one.study_id: one.study.outside.full_origin for one in self.versions if one.study.is_outside
            }.values()
        )

    @property
    def names(self) -> str:
        """Each version as the id of its study and its number: "3/1, 3/2"."""
        return ", ".join(f"{version.study_id}/{version.number}" for version in self.versions)

    def as_json(self) -> dict[str, Any]:
        """The sentence and the versions, each with the digest that its file has (`play.sessions.studies`)."""
        versions = [
            {"study": version.study.name, "version": version.number, "digest": version.digest}
            for version in self.versions
        ]
        return {"sentence": self.mixture, "versions": versions} | (
            {"origins": self.origins} if self.origins else {}
        )


def protocols_of(attempts: pl.DataFrame) -> Protocols:
    """The versions that the sessions of these ATTEMPT rows follow."""
    return protocols_with(attempts["protocol"].unique().to_list())


def protocols_with(keys: Collection[int]) -> Protocols:
    """The versions with these primary keys."""
    found = ProtocolVersion.objects.filter(pk__in=keys).select_related("study__outside")
    return Protocols(tuple(found.order_by("study", "number")))


def rules_of(attempts: pl.DataFrame, scope: Scope) -> list[AttemptRule]:
    """What counts as an attempt for these ATTEMPT rows, each rule once; without rows, the scope's rule."""
    columns = ("more_than_actions", "less_than_seconds")
    found = [AttemptRule(*row) for row in attempts.select(columns).unique().sort(columns).iter_rows()]
    return found or [scope.protocol.attempt]


def rule_text(attempts: pl.DataFrame, scope: Scope) -> str:
    """What counts, such as "more than N actions and less than M minutes of interaction"."""
    tasks, others = attempts.filter(IS_TASK), attempts.filter(~IS_TASK)
    said = []
    if others.height or not tasks.height:
        rules = rules_of(others, scope)
        said.append(" or, by another version of the protocol, ".join(rule.description for rule in rules))
    if tasks.height:
        views = sorted(tasks["view_seconds"].unique().to_list())
        said.append(
            ("of static tasks, " if said else "") + f"a view of more than {' or '.join(map(str, views))} s"
        )
    return "; ".join(said)


def too_few_text(rules: Sequence[AttemptRule]) -> str:
    """The numbers of actions that are too few for an attempt, such as "N actions or fewer"."""
    numbers = dict.fromkeys(str(rule.more_than_actions) for rule in rules)
    return f"{' or '.join(numbers)} actions or fewer"


def _listed(numbers: Sequence[int]) -> str:
    return f"{', '.join(map(str, numbers[:-1]))} and {numbers[-1]}"
