"""Effort flags in templates: what a flag asks to be watched, and reasons as sentences."""

from django import template
from django.template.context import RequestContext

from playtest.people.models import Staff
from playtest.people.roles import Right
from playtest.play.models import Session
from playtest.review.decision_reasons import LABELS
from playtest.review.models import Flag
from playtest.review.queries.queue import is_open

register = template.Library()


@register.simple_tag(takes_context=True)
def reviewer_is_asked(context: RequestContext, session: Session) -> bool:
    """Whether whoever looks may review a session that waits for it: then nothing leads to a baseline."""
    user = context.get("user")
    return isinstance(user, Staff) and user.may(Right.REVIEW_EFFORT) and is_open(session)


@register.filter
def moments(flag: Flag) -> list[tuple[int, int]]:
    """The (attempt, action) pairs that a flag asks to be watched."""
    return [(attempt, seq) for attempt, seq in flag.figures["moments"]]


@register.filter
def yardstick(flag: Flag) -> str:
    """By which rule set a flag was raised, and what the study had changed of its thresholds."""
    changes = "".join(f", {name} {value}" for name, value in sorted((flag.thresholds or {}).items()))
    return f"rule set {flag.rule_version}{changes}"


@register.filter
def reason(code: str) -> str:
    """A decision's reason code in words."""
    return LABELS.get(code, code)
