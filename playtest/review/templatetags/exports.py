"""Exports in words."""

from django import template

from playtest.review.attempt_film import FilmOptions
from playtest.review.models import Export
from playtest.review.video.clock import Clock

register = template.Library()


@register.filter
def film_words(export: Export) -> str:
    """How a film runs, where it is not as time passed: "per action, 2x", "over 10 s of idle time skipped"."""
    options = FilmOptions.of(export.options)
    pace = options.pace
    by_action = pace.clock == Clock.ACTION
    words = [
        _range_words(options),
        "per action" if by_action else "",
        f"{pace.speed:g}x" if pace.speed != 1 else "",
        f"idle time over {pace.idle:g} s skipped" if pace.idle and not by_action else "",
        "with captions" if options.captions else "",
    ]
    return ", ".join(word for word in words if word)


def _range_words(options: FilmOptions) -> str:
    if options.first is None and options.last is None:
        return ""
    if options.last is None:
        return f"from action {options.first}"
    return f"actions {options.first or 0} to {options.last}"
