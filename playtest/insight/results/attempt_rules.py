"""What counts as an attempt, as sentences say it: by the protocols that the sessions behind them follow."""

from collections.abc import Sequence

import polars as pl

from playtest.insight.scope import Scope
from playtest.rules.attempt import AttemptRule


def rules_of(attempts: pl.DataFrame, scope: Scope) -> list[AttemptRule]:
    """The rules of these ATTEMPT rows, each once; without rows, what the scope's protocol says now."""
    columns = ("minimum_actions", "maximum_seconds")
    found = [AttemptRule(*row) for row in attempts.select(columns).unique().sort(columns).iter_rows()]
    return found or [scope.protocol.attempt]


def rule_in_words(rules: Sequence[AttemptRule]) -> str:
    """More than 30 actions and less than 30 minutes of interaction"""
    return " or, by another version of the protocol, ".join(rule.words for rule in rules)


def too_few_in_words(rules: Sequence[AttemptRule]) -> str:
    """The numbers of actions that are too few for an attempt: 30 actions or fewer"""
    numbers = dict.fromkeys(str(rule.minimum_actions) for rule in rules)
    return f"{' or '.join(numbers)} actions or fewer"
