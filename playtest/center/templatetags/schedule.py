"""Filters that show times on the center's clock."""

from datetime import datetime

from django import template

from playtest.center.schedule.times import local, long_day

register = template.Library()


@register.filter
def center_day(moment: datetime) -> str:
    """Monday 23 November 2026"""
    return long_day(moment)


@register.filter
def center_time(moment: datetime) -> str:
    """09:00"""
    return f"{local(moment):%H:%M}"
