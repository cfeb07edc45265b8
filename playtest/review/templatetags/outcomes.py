"""The outcome of an attempt as a page shows it."""

from django import template

from playtest.play.models import Attempt
from playtest.review.queries.attempts import how_it_ended

register = template.Library()


@register.filter
def ended(attempt: Attempt) -> str:
    """As `queries.attempts.how_it_ended`."""
    return how_it_ended(attempt)
