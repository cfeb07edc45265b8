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
from playtest.review.queries.decisions import sessions_asking
from playtest.review.queries.queue import is_open
from playtest.review.services.collections import place_of
from playtest.review.video.clock import Clock
from playtest.rules.effort import RULE_VERSION
from playtest.rules.text import whole_number

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
    return REASON_LABELS.get(code, code)


@register.filter
def ended(attempt: Attempt) -> str:
    """As `queries.attempts.how_it_ended`."""
    return how_it_ended(attempt)


@register.filter
def player(attempt: Attempt) -> str:
    """As `players.player_name`."""
    return player_name(attempt)


@register.inclusion_tag("review/collection-place.html", takes_context=True)
def collection_place(context: RequestContext) -> dict[str, Any]:
    """The previous and the next replay, where the address has `?item=` and the item exists.

    A reviewer who owes a second verdict on the replay does not see its note.
    """
    number = whole_number(context["request"].GET.get("item", ""))
    place = None if number is None else place_of(number)
    user = context.get("user")
    asking = sessions_asking(user) if isinstance(user, Staff) else set()
    return {"place": place, "noted": place is not None and place.item.attempt.session_id not in asking}


@register.filter
def film_settings(export: Export) -> str:
    """The settings of a film that are not the default: "per action, 2x, with captions"."""
    options = FilmOptions.of(export.options)
    pace = options.pace
    by_action = pace.clock == Clock.ACTION
    settings = [
        _range(options),
        "per action" if by_action else "",
        f"{pace.speed:g}x" if pace.speed != 1 else "",
        f"idle time over {pace.idle:g} s skipped" if pace.idle and not by_action else "",
        "with captions" if options.captions else "",
    ]
    return ", ".join(setting for setting in settings if setting)


def _range(options: FilmOptions) -> str:
    if options.first is None and options.last is None:
        return ""
    if options.last is None:
        return f"from action {options.first}"
    return f"actions {options.first or 0} to {options.last}"
