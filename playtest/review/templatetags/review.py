"""Players, outcomes, flags, reasons, places in collections and settings of films in templates."""

from typing import Any

from django import template
from django.template.context import RequestContext

from playtest.people.models import Staff
from playtest.people.roles import Right
from playtest.play.models import Attempt, Session
from playtest.review.attempt_film import FilmOptions
from playtest.review.models import REASON_LABELS, Export, Flag
from playtest.review.players import player_name
from playtest.review.queries.attempts import how_it_ended
from playtest.review.queries.queue import is_open
from playtest.review.video.clock import Clock
from playtest.review.views import blind
from playtest.review.views.places import place_of
from playtest.rules.effort.thresholds import RULE_VERSION

register = template.Library()
register.filter("ended", how_it_ended)
register.filter("player", player_name)


@register.simple_tag(takes_context=True)
def reviewer_is_asked(context: RequestContext, session: Session) -> bool:
    """Whether this reader may review a session that waits: then no link leads to a baseline."""
    user = context.get("user")
    return isinstance(user, Staff) and user.may(Right.REVIEW_EFFORT) and is_open(session)


@register.simple_tag(takes_context=True)
def hides_outcome(context: RequestContext, attempt: Attempt) -> bool:
    """Whether this reader judges the attempt's session blind, and has yet to."""
    reader = isinstance(context.get("user"), Staff)
    return reader and blind.hides_outcome(context["request"], attempt.session_id)


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
    return REASON_LABELS.get(code, code)


@register.inclusion_tag("review/place.html", takes_context=True)
def replay_place(context: RequestContext) -> dict[str, Any]:
    """The replays before and after the attempt of the page in its list or collection (`views.places`)."""
    return {"place": place_of(context["request"], context["attempt"].pk)}


@register.filter
def film_settings(export: Export) -> str:
    """The settings of a film that are not the default: "per action, 2x, with captions"."""
    options = FilmOptions.of(export.options)
    pace = options.pace
    by_action = pace.clock == Clock.ACTION
    settings = [
        "per action" if by_action else "",
        f"{pace.speed:g}x" if pace.speed != 1 else "",
        f"idle time over {pace.idle:g} s skipped" if pace.idle and not by_action else "",
        "with captions" if options.captions else "",
    ]
    return ", ".join(setting for setting in settings if setting)
