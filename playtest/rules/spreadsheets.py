"""Text in CSV files for people: a program must show it, not compute it or take it for something else.

Programs that open CSV take a cell that begins with one of `= + - @`, a tab or a line break for a formula,
also where it is quoted (CWE-1236); and text as `null`, `true`, `1e10`, `mar1` or `007` for a missing value, a
truth, a number or a date (Excel, pandas, polars, R). An apostrophe before it makes it text. Whatever is a
number is left alone: a negative one is not a formula.
"""

import csv
import io
import re
from collections.abc import Callable, Iterable, Sequence

import polars as pl

MARK = "\ufeff"
"""Without it Excel takes UTF-8 for another encoding."""
_BEGINS = r"[=+\-@\t\r\n＝＋－＠]"  # noqa: RUF001  spreadsheets read these wide forms, too
_NUMBER = r"[+-]?(0|[1-9][0-9]{0,14})(\.[0-9]+)?"  # a spreadsheet shows 15 digits, and no zeros before them
_MONTH = (
    r"(jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sept?(ember)?|oct(ober)?"
    r"|nov(ember)?|dec(ember)?)"
)
_DAY_AND_MONTH = r"((0?[1-9]|1[0-2])[-/][0-3]?[0-9]|[0-3]?[0-9][-/](0?[1-9]|1[0-2]))([-/][0-9]{1,4})?"
_A_NUMBER = "a number"
_MISREAD = {
    "a missing value": r"null|none|nil|-?nan|na|n/a|<na>|#na|#n/a",
    "a truth": r"true|false",
    _A_NUMBER: r"[+-]?([0-9]+\.?[0-9]*e[+-]?[0-9]+|inf(inity)?)",
    "a date": rf"{_MONTH}[-/ .]?[0-9]{{1,4}}|[0-9]{{1,2}}[-/ .]?{_MONTH}|{_DAY_AND_MONTH}",
}
_LONG_OR_WITH_ZEROS = r"[+-]?(0[0-9]+|[0-9]{16,})(\.[0-9]+)?"
_CHANGED = rf"(?is)\A({_BEGINS}.*|{'|'.join(_MISREAD.values())}|{_LONG_OR_WITH_ZEROS})\z"
_PLAIN = rf"\A{_NUMBER}\z"


def _python(pattern: str) -> str:
    return pattern.replace(r"\z", r"\Z")  # the end of the text, as Python writes it until 3.14


_PYTHON_CHANGED, _PYTHON_PLAIN = re.compile(_python(_CHANGED)), re.compile(_python(_PLAIN))


def misread(name: str, *, numbers: bool = True) -> str:
    """Why a name is none that tables keep, as a sentence; "" for a good one.

    Numbers as they are, as 4711 and 007, are good. `numbers`: those with exponents, as 1e10, are not.
    """
    for what, form in _MISREAD.items():
        if re.fullmatch(form, name, re.IGNORECASE) and (numbers or what != _A_NUMBER):
            return f"Programs that open tables take “{name}” for {what}: choose another name."
    return ""


def guarded[Value](value: Value) -> Value | str:
    """A cell's value made safe for CSV: an apostrophe precedes text that programs would change."""
    if isinstance(value, str) and _PYTHON_CHANGED.search(value) and not _PYTHON_PLAIN.search(value):
        return f"'{value}"
    return value


def guarded_formula[Value](value: Value) -> Value | str:
    """The same for files that machines read, which change nothing but may be opened by somebody."""
    if isinstance(value, str) and re.match(_BEGINS, value) and not _PYTHON_PLAIN.search(value):
        return f"'{value}"
    return value


def csv_text(
    columns: Sequence[str],
    rows: Iterable[Sequence[object]],
    guard: Callable[[object], object] = guarded,
) -> str:
    """CSV (RFC 4180) with a header of column names; text that programs would change is guarded."""
    written = io.StringIO()
    table = csv.writer(written)
    table.writerow(columns)
    table.writerows([guard(value) for value in row] for row in rows)
    return written.getvalue()


def guarded_text(frame: pl.LazyFrame) -> pl.LazyFrame:
    """A table with `guarded` in every column of text."""
    text = pl.col(pl.String)
    changed = text.str.contains(_CHANGED) & ~text.str.contains(_PLAIN)
    return frame.with_columns(pl.when(changed).then("'" + text).otherwise(text).name.keep())
