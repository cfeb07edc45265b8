"""Answers that a browser stores as a file."""

from collections.abc import Iterable, Sequence

from django.http import HttpResponse

from playtest.rules.spreadsheets import csv_text


def attachment(content: str | bytes, name: str, content_type: str) -> HttpResponse:
    """A file with this name, which needs no quoting."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type=content_type, headers=headers)


def csv_attachment(name: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> HttpResponse:
    """A table as `rules.spreadsheets.csv_text` writes it, with a file's name that ends in .csv."""
    return attachment(csv_text(columns, rows), name, "text/csv; charset=utf-8")
