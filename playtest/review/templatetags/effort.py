"""Effort flags in templates: what a flag asks to be watched, and reasons as sentences."""

from django import template
from django.template.context import RequestContext

from playtest.people.models import Staff
from playtest.people.roles import Right
from playtest.play.models import Session
from playtest.review.decision_reasons import LABELS
from playtest.review.models import Flag
from playtest.review.queries.queue import is_open
from playtest.rules.effort import RULE_VERSION

register = template.Library()


@register.simple_tag(takes_context=True)
def reviewer_is_asked(context: RequestContext, session: Session) -> bool:
    """Whether this reader may review a session that waits: then no link leads to a baseline."""
    user = context.get("user")
    return isinstance(user, Staff) and user.may(Right.REVIEW_EFFORT) and is_open(session)


@register.filter
def moments(flag: Flag) -> list[tuple[int, int]]:
    """The (attempt, action) pairs with the evidence of a flag."""
    return [(attempt, seq) for attempt, seq in flag.figures["moments"]]


@register.filter
def rule_set(flag: Flag) -> str:
    """The rule set that raised a flag, today's if that is another one, and what the study had changed."""
    today = "" if flag.rule_version == RULE_VERSION else f" (today's is {RULE_VERSION})"
    changes = "".join(f", {name} {value}" for name, value in sorted((flag.thresholds or {}).items()))
    return f"rule set {flag.rule_version}{today}{changes}"


@register.filter
def reason(code: str) -> str:
    """The label of a decision's reason code."""
    return LABELS.get(code, code)
