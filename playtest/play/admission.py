"""Which studies this process serves: all of them, unless the program that starts it sets a rule."""

from collections.abc import Callable

from playtest.play.errors import Refusal
from playtest.play.models import Study

type Rule = Callable[[Study], Refusal | None]
"""Why a study is not served here; None if it is."""


def _serve_all(_: Study) -> None:
    return None


_rule: Rule = _serve_all


def set_rule(rule: Rule) -> Rule:
    """Sets the rule of this process, and returns the one before."""
    global _rule
    before, _rule = _rule, rule
    return before


def is_served(study: Study) -> bool:
    return _rule(study) is None


def refuse_unless_served(study: Study) -> None:
    """Raises the rule's Refusal of a study that this process does not serve."""
    if (refusal := _rule(study)) is not None:
        raise refusal
