"""Filters of pages about pay: amounts in the center's currency."""

from decimal import Decimal

from django import template

from playtest.center.pay.money import shown

register = template.Library()


@register.filter
def money(amount: Decimal | None) -> str:
    """An amount in the center's currency; a dash for none."""
    return "–" if amount is None else shown(amount)  # noqa: RUF001


@register.filter
def paid(amount: Decimal | None) -> str:
    """What a sum of lines says is paid, whose payments are below zero."""
    return shown(-(amount or Decimal(0)))
