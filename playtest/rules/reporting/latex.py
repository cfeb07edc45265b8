"""A report as LaTeX, for pdfLaTeX, XeLaTeX or LuaLaTeX with the packages of every distribution."""

from collections.abc import Iterator

from playtest.rules.reporting.document import Entry, Report, Table
from playtest.rules.reporting.markdown import UNANSWERED

_ESCAPES = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\{",
        "}": r"\}",
        "$": r"\$",
        "&": r"\&",
        "#": r"\#",
        "%": r"\%",
        "_": r"\_",
        "^": r"\textasciicircum{}",
        "~": r"\textasciitilde{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        '"': r"\textquotedbl{}",
        "–": "--",  # noqa: RUF001
        "…": r"\dots{}",
        "“": "``",
        "”": "''",
        "≥": r"$\geq$",
        "≤": r"$\leq$",
        "×": r"$\times$",  # noqa: RUF001
    }
)
_HEAD = r"""\documentclass{article}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage{longtable}
\usepackage{booktabs}
\usepackage{array}
\begin{document}"""


def as_latex(report: Report) -> str:
    return "\n".join(_lines(report)) + "\n"


def escaped(text: str) -> str:
    """The text on one line, as LaTeX prints it."""
    return " ".join(text.split()).translate(_ESCAPES)


def _lines(report: Report) -> Iterator[str]:
    yield _HEAD
    yield rf"\section*{{Report of ``{escaped(report.study)}''}}"
    yield f"{escaped(report.scope)} Items are those of the checklist of Wei et al.\\ 2025."
    yield ""
    yield rf"Digest (SHA-256): {{\footnotesize\texttt{{{report.digest}}}}}"
    chapter = ""
    for entry in report.entries:
        if entry.chapter != chapter:
            chapter = entry.chapter
            yield rf"\subsection*{{{escaped(chapter)}}}"
        yield from _entry(entry)
    yield r"\end{document}"


def _entry(entry: Entry) -> Iterator[str]:
    yield rf"\subsubsection*{{{entry.number} {escaped(entry.title)}}}"
    if entry.facts:
        yield r"\begin{itemize}"
        yield from (rf"\item \textbf{{{escaped(fact.label)}}}: {escaped(fact.value)}" for fact in entry.facts)
        yield r"\end{itemize}"
    for table in entry.tables:
        yield from _table(table)
    if entry.asked:
        yield rf"\emph{{{escaped(entry.asked)}}}"
        yield ""
        yield r"\begin{quote}"
        if entry.answer:
            yield from (escaped(line) + r"\par" for line in entry.answer.splitlines() if line.strip())
            yield f"({escaped(entry.answered)})"
        else:
            yield UNANSWERED
        yield r"\end{quote}"


def _table(table: Table) -> Iterator[str]:
    """The first column is wide and wraps; numbers stand at the right."""
    others = "r" * (len(table.columns) - 1)
    yield rf"\begin{{longtable}}{{>{{\raggedright\arraybackslash}}p{{0.3\textwidth}}{others}}}"
    yield rf"\multicolumn{{{len(table.columns)}}}{{p{{0.9\textwidth}}}}{{{escaped(table.caption)}}} \\"
    yield r"\toprule"
    yield " & ".join(map(escaped, table.columns)) + r" \\"
    yield r"\midrule"
    yield r"\endhead"
    yield from (" & ".join(map(escaped, row)) + r" \\" for row in table.rows)
    yield r"\bottomrule"
    yield r"\end{longtable}"
