"""A report as LaTeX: for LuaLaTeX, which prints any script by the fonts that it finds, and for pdfLaTeX.

In print a table has at most `MOST_ROWS` rows and `MOST_COLUMNS` columns. `tables` has all of it, for files
beside the document.
"""

import re
from collections.abc import Iterator, Sequence
from unicodedata import category, east_asian_width

from playtest.rules.reporting.document import Entry, Report, Table
from playtest.rules.reporting.markdown import UNANSWERED
from playtest.rules.spreadsheets import csv_text

MOST_ROWS, MOST_COLUMNS = 60, 8
_LONG, _PIECE = 14, 8
"""A word of more letters than `_LONG` may be broken after every `_PIECE`."""
_LINE, _BETWEEN = 104, 4
"""Letters of a table's size on a line, and in the space between two columns."""
_NUMBER = re.compile(r"[-+−]?[\d,.]*( %)?|-|none")  # noqa: RUF001

_ESCAPES = str.maketrans(
    {
        "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%",
        "_": r"\_", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}",
        ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\textquotedbl{}",
    }
)  # fmt: skip
_HEAD = r"""% lualatex prints every script that a font below has. pdflatex prints a box for what it cannot.
\documentclass{article}
\usepackage[a4paper,margin=25mm]{geometry}
\usepackage{iftex,longtable,booktabs,array}
\ifPDFTeX
  \usepackage[T1]{fontenc}
  \usepackage{lmodern,textcomp,microtype}
  \DisableLigatures{encoding=*,family=*}
  \DeclareUnicodeCharacter{2032}{\ensuremath{'}}
  \DeclareUnicodeCharacter{2033}{\ensuremath{''}}
  \DeclareUnicodeCharacter{2212}{\ensuremath{-}}
  \DeclareUnicodeCharacter{2264}{\ensuremath{\leq}}
  \DeclareUnicodeCharacter{2265}{\ensuremath{\geq}}
  \makeatletter\def\UTFviii@undefined@err#1{\fbox{?}}\makeatother
\else
  \usepackage{fontspec}
  \usepackage[bidi=basic]{babel}
  \babelprovide[import,main]{english}
  \newcommand\others{}
  \newcommand\other[2]{\IfFontExistsTF{#1}{\edef\others{\others"#1:mode=harf;#2",}}{}}
  \other{Noto Naskh Arabic}{script=arab;}
  \other{DejaVu Sans}{script=arab;}
  \other{Noto Sans CJK SC}{}
  \other{Unifont}{}
  \other{Unifont Upper}{}
  \directlua{luaotfload.add_fallback("others", {\others})}
  \setmainfont{Latin Modern Roman}[RawFeature={-liga;-clig;-tlig;fallback=others}]
  \setmonofont{Latin Modern Mono}[RawFeature={-tlig;fallback=others}]
\fi
\sloppy
\emergencystretch=3em
\begin{document}"""


def as_latex(report: Report) -> str:
    return "\n".join(_lines(report)) + "\n"


def tables(report: Report) -> dict[str, str]:
    """Every table in full as CSV, by the name of its file."""
    return {
        _file_of(entry, place): csv_text(table.columns, table.rows)
        for entry in report.entries
        for place, table in enumerate(entry.tables, start=1)
    }


def escaped(text: str) -> str:
    """The text on one line, as LaTeX prints it; long words and scripts without spaces can be broken."""
    return " ".join(
        r"\allowbreak{}".join(piece.translate(_ESCAPES) for piece in _pieces(word)) for word in _split(text)
    )


def _split(text: str) -> list[str]:
    return "".join(" " if category(letter) == "Cc" else letter for letter in text).split()


def _pieces(word: str) -> list[str]:
    """Only between letters that are not joined in writing: wide ones, or those of ASCII."""
    if any(east_asian_width(letter) in "WF" for letter in word):
        return list(word)
    if not word.isascii() or len(word) <= _LONG:
        return [word]
    return [word[at : at + _PIECE] for at in range(0, len(word), _PIECE)]


def _file_of(entry: Entry, place: int) -> str:
    return f"table-{entry.number}-{place}.csv"


def _lines(report: Report) -> Iterator[str]:
    yield _HEAD
    yield rf"\section*{{Report of “{escaped(report.study)}”}}"
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
    for place, table in enumerate(entry.tables, start=1):
        yield from _table(table, _file_of(entry, place))
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


def _table(table: Table, file: str) -> Iterator[str]:
    """As much as fits on pages, and where the rest is; columns of numbers stand at the right."""
    columns = table.columns[:MOST_COLUMNS]
    rows = [row[:MOST_COLUMNS] for row in table.rows[:MOST_ROWS]]
    caption = table.caption
    if len(columns) < len(table.columns) or len(rows) < len(table.rows):
        whole = f"{len(table.rows):,} rows and {len(table.columns):,} columns"
        caption += (
            f" Shown are {len(rows):,} rows and {len(columns):,} columns of {whole}: all are in {file}."
        )
    cells = [[column, *(row[place] for row in rows)] for place, column in enumerate(columns)]
    widths = _widths([max(map(len, column)) for column in cells])
    yield r"{\footnotesize"
    yield rf"\noindent {escaped(caption)}\par\nopagebreak"
    yield rf"\begin{{longtable}}{{{''.join(map(_column, cells, widths))}}}"
    yield r"\toprule"
    yield " & ".join(map(escaped, columns)) + r" \\"
    yield r"\midrule"
    yield r"\endhead"
    yield from (" & ".join(map(escaped, row)) + r" \\" for row in rows)
    yield r"\bottomrule"
    yield r"\end{longtable}}"


def _widths(needed: Sequence[int]) -> list[float]:
    """The share of a line that each column has: what it needs, the widest less if that is too much."""
    room = _LINE - _BETWEEN * len(needed)
    least, most = 1, room
    while least < most:
        middle = (least + most + 1) // 2
        fits = sum(min(one, middle) for one in needed) <= room
        least, most = (middle, most) if fits else (least, middle - 1)
    return [(min(one, least) + _BETWEEN) / _LINE for one in needed]


def _column(cells: Sequence[str], width: float) -> str:
    numbers = all(_NUMBER.fullmatch(cell) for cell in cells[1:])
    side = "left" if numbers and len(cells) > 1 else "right"
    width_of_text = rf"\dimexpr{width:.3f}\linewidth-2\tabcolsep\relax"
    return rf">{{\ragged{side}\hspace{{0pt}}\arraybackslash}}p{{{width_of_text}}}"
