"""Filters of the center's pages: amounts in its currency, and times on its clock."""

from datetime import datetime
from decimal import Decimal

from django import template

from playtest.center.interventions.sentences import describe, minutes
from playtest.center.schedule.times import local, long_day
from playtest.rules.pay import amount_text

register = template.Library()
register.filter("sentence", describe)
register.filter("minutes", minutes)


@register.filter
def money(amount: Decimal | None, currency: str) -> str:
    """An amount in this currency; a dash for none."""
    return "–" if amount is None else amount_text(amount, currency)  # noqa: RUF001


@register.filter
def paid(amount: Decimal | None, currency: str) -> str:
    """What a sum of lines says is paid, whose payments are below zero."""
    return amount_text(-(amount or Decimal(0)), currency)


@register.filter
def center_day(moment: datetime) -> str:
    """Monday 23 November 2026"""
    return long_day(moment)


@register.filter
def center_time(moment: datetime) -> str:
    """09:00"""
    return f"{local(moment):%H:%M}"
