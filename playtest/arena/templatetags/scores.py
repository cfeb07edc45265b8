"""Scores, states, sets, tokens and amounts of agents as text."""

import json
from collections.abc import Iterable
from typing import Any

from django import template
from django.template import Context

from playtest.arena.models import Play, Scorecard
from playtest.arena.scores.card_scores import LevelScore
from playtest.insight.templatetags.numbers import thousands
from playtest.rules.inference.agents import ScoreInterval
from playtest.studio.models import ReleaseSet

register = template.Library()
register.filter(thousands)

_NONE = "–"  # noqa: RUF001
_STATES = {"WIN": "won", "GAME_OVER": "lost", "NOT_FINISHED": "not finished"}


@register.filter
def percent(value: float | None) -> str:
    """A number of percent with one decimal; a dash for None."""
    return _NONE if value is None else f"{value:.1f}"


@register.simple_tag(takes_context=True)
def replay_of_card(context: Context, play: Play, level: int = 0) -> str:
    """Where the reader of a card watches a play, or one level of it; "" where they may not."""
    address: str = context["replay"](play)
    return f"{address}#level={level}" if address and level else address


@register.filter
def points(value: float | None) -> str:
    """A difference in percentage points with its sign; a dash for None."""
    return _NONE if value is None else f"{value:+.1f}"


@register.filter
def interval(value: ScoreInterval | None) -> str:
    """An interval in percent with what it is over: "12.0 to 31.5 (over runs)"; a dash for None."""
    return _NONE if value is None else f"{percent(value.low)} to {percent(value.high)} (over {value.over})"


@register.filter
def share(value: float | None) -> str:
    """A share (0..1) in percent; a dash for None."""
    return _NONE if value is None else f"{100 * value:.0f}"


@register.filter
def chance(value: float | None) -> str:
    """A p value with two digits; a dash for None."""
    return _NONE if value is None else f"{value:.2g}"


@register.filter
def dollars(value: float | None) -> str:
    """An amount in dollars; parts of a cent only below one dollar."""
    if value is None:
        return _NONE
    return f"{value:,.2f}" if value >= 1 or value == 0 else f"{value:.4f}"


@register.filter
def mode(card: Scorecard) -> str:
    """How the card is played."""
    return "competition" if card.competition else "normal"


@register.filter
def state(card: Scorecard) -> str:
    """Whether the card is open, else why it was closed."""
    return "open" if card.closed_at is None else f"closed: {card.get_close_reason_display()}"


@register.filter
def game_state(value: str) -> str:
    """The state of a play in a word."""
    return _STATES.get(value, value)


@register.filter
def level_outcome(level: LevelScore) -> str:
    """How a level of a play ended."""
    if level.ended:
        return "beyond the budget"
    if level.completed:
        return "completed"
    return "not completed" if level.actions else "not reached"


@register.filter
def is_web(address: str) -> bool:
    """Whether an address that an agent gave may be a link."""
    return address.startswith(("https://", "http://"))


@register.filter
def as_json(value: Any) -> str:
    """What an agent stored, indented."""
    return json.dumps(value, indent=2, ensure_ascii=False, sort_keys=True)


@register.filter
def set_names(sets: Iterable[str]) -> str:
    """The labels of release sets, separated by commas."""
    return ", ".join(ReleaseSet(one).label for one in sets)
