"""Answers that a browser stores as a file."""

from collections.abc import Iterable, Sequence

from django.http import HttpResponse

from playtest.rules.spreadsheets import MARK, csv_text


def attachment(content: str | bytes, name: str, content_type: str) -> HttpResponse:
    """A file with this name, which needs no quoting."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type=content_type, headers=headers)


def csv_attachment(name: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> HttpResponse:
    """A table as `csv_file` of what `rules.spreadsheets.csv_text` writes."""
    return csv_file(csv_text(columns, rows), name)


def csv_file(text: str, name: str) -> HttpResponse:
    """CSV for a spreadsheet, with the mark of UTF-8; the file's name ends in .csv."""
    return attachment(MARK + text, name, "text/csv; charset=utf-8")
