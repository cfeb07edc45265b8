"""Text in CSV files for people: a spreadsheet must show it, not compute it.

Programs that open CSV take a cell that begins with one of `= + - @`, a tab or a line break for a formula,
also where it is quoted (CWE-1236). An apostrophe before it makes it text. Whatever is a number is left alone:
a negative one is not a formula.
"""

import csv
import io
import re
from collections.abc import Iterable, Sequence

import polars as pl

_BEGINS = r"\A[=+\-@\t\r\n＝＋－＠]"  # noqa: RUF001  spreadsheets read these wide forms, too
_NUMBER = r"\A[+-]?[0-9]+(\.[0-9]+)?\z"


def guarded[Value](value: Value) -> Value | str:
    """A cell's value made safe for CSV: an apostrophe precedes text that would be a formula."""
    if isinstance(value, str) and re.search(_BEGINS, value) and not re.search(_PYTHON_NUMBER, value):
        return f"'{value}"
    return value


_PYTHON_NUMBER = _NUMBER.replace(r"\z", r"\Z")  # the end of the text, as Python writes it until 3.14


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """CSV (RFC 4180) with a header of column names; formulas are escaped."""
    written = io.StringIO()
    table = csv.writer(written)
    table.writerow(columns)
    table.writerows([guarded(value) for value in row] for row in rows)
    return written.getvalue()


def guarded_text(frame: pl.LazyFrame) -> pl.LazyFrame:
    """A table with `guarded` in every column of text."""
    text = pl.col(pl.String)
    formula = text.str.contains(_BEGINS) & ~text.str.contains(_NUMBER)
    return frame.with_columns(pl.when(formula).then("'" + text).otherwise(text).name.keep())
