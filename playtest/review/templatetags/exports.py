"""Descriptions of exports."""

from django import template

from playtest.review.attempt_film import FilmOptions
from playtest.review.models import Export
from playtest.review.video.clock import Clock

register = template.Library()


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
