"""Gives links their places in the chains when a day is signed."""

from collections import defaultdict
from datetime import datetime
from typing import Any

from django.db import connection

from playtest.people.record.digests import chain_after, chain_start, is_marked
from playtest.people.record.links import RecordLink

type Heads = dict[str, tuple[int, str]]
"""By table: how many links it has, and the last one's chain value, hexadecimal."""


class ForgedLink(Exception):
    """A link that the product did not make."""


def first_unplaced() -> datetime | None:
    """When the oldest link without a place was made."""
    return RecordLink.objects.filter(place=None).order_by("at").values_list("at", flat=True).first()


def place_links(end: datetime) -> Heads:
    """Place all links made before `end`, in the running transaction; the new heads. Raises ForgedLink."""
    waiting: dict[str, list[RecordLink]] = defaultdict(list)
    for link in RecordLink.objects.filter(place=None, at__lt=end).order_by("pk"):
        if not is_marked(link.line, bytes(link.mark)):
            raise ForgedLink(f"A link of {link.table_name} {link.row_id} was not made by the product.")
        waiting[link.table_name].append(link)
    heads: Heads = {}
    placed: list[tuple[Any, ...]] = []
    for table, links in sorted(waiting.items()):
        last = RecordLink.objects.filter(table_name=table, place__gt=0).order_by("-place").first()
        place, value = (last.place or 0, bytes(last.chain or b"")) if last else (0, chain_start(table))
        for link in links:
            place, value = place + 1, chain_after(value, link.line)
            placed.append((place, value, link.pk))
        heads[table] = place, value.hex()
    if placed:
        with connection.cursor() as cursor:
            cursor.executemany(
                "UPDATE people_recordlink SET place = %s, chain = %s WHERE id = %s AND place IS NULL", placed
            )
    return heads
