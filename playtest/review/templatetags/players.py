"""Who played an attempt."""

from django import template

from playtest.play.models import Attempt
from playtest.review.players import player_name

register = template.Library()


@register.filter
def player(attempt: Attempt) -> str:
    """As `players.player_name`."""
    return player_name(attempt)
