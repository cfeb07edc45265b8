"""A report's LaTeX compiles with outline fonts and within its margins, whatever people are called."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from playtest.rules.reporting.document import ITEMS, Entry, Fact, Report, Table
from playtest.rules.reporting.latex import as_latex, tables

MOST_OVERFULL = 5
"""Points by which a line may stand out."""
NAMES = ("Zoë O′Neill-Łukasz", "محمد علي", "שלום כהן", "王小明研究小组", "Ωμέγα", "Жукова", "😀🎉")  # noqa: RUF001
LATIN = r"50 % & 'more_less' {x} ~^\ #1 $2 <a|b> -- ``quoted ≥ 3 × 4 … – −5"  # noqa: RUF001
HEX = "ff0fi1ffl2" * 6 + "abcd"

ENTRY = Entry.of(
    ITEMS[0],
    tuple(Fact(name, f"{LATIN}, {HEX}") for name in NAMES),
    (
        Table("Digests.", ("Environment", "Game id", "Digest"), (("nv52", "nv52-abcdef01", HEX),) * 70),
        Table(
            f"Many columns, named as {LATIN}.",
            ("Environment", "Version", *(f"Reading {number}" for number in range(14))),
            (("wk01", "0123abcd", *["1,164 to 2,000, 95 %"] * 14), ("wk01", "0123abcd", *["-"] * 14)),
        ),
        Table(NAMES[3] * 30, ("Answer", "People"), tuple((name * 4, "12") for name in NAMES)),
    ),
    "\n".join([*NAMES, "A sentence. " * 40, "x" * 300]),
    "version 1, 2026-01-01",
)
REPORT = Report(f"{NAMES[0]} {NAMES[1]}", LATIN, (ENTRY,))


@pytest.mark.long
@pytest.mark.parametrize("program", ["lualatex", "pdflatex"])
def test_a_report_is_printed_within_its_margins(program: str, tmp_path: Path) -> None:
    if shutil.which(program) is None or shutil.which("pdffonts") is None:
        pytest.skip(f"{program} or pdffonts is not installed (scripts/install-services long)")
    (tmp_path / "report.tex").write_text(as_latex(REPORT))
    command = [program, "-interaction=nonstopmode", "-halt-on-error", "report.tex"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False, timeout=240)
    assert run.returncode == 0, run.stdout.decode(errors="replace")[-2000:]
    log = (tmp_path / "report.log").read_text(errors="replace")
    widths = map(float, re.findall(r"Overfull \\hbox \(([\d.]+)pt too wide", log))
    assert [width for width in widths if width > MOST_OVERFULL] == []
    assert "Missing character" not in log
    fonts = subprocess.check_output(["pdffonts", "report.pdf"], cwd=tmp_path, text=True)
    assert "Type 3" not in fonts
    text = subprocess.check_output(["pdftotext", "-raw", "report.pdf", "-"], cwd=tmp_path, text=True)
    assert HEX in "".join(text.split())  # a ligature would read as one letter
    assert REPORT.digest in text
    if program == "lualatex":
        fonts_found = set("".join(text.split()))
        assert set("王小明研究Ωμέγα😀🎉Жукова") <= fonts_found


def test_what_print_leaves_out_is_in_the_files_beside_it() -> None:
    text, files = as_latex(REPORT), tables(REPORT)
    assert list(files) == ["table-0.5-1.csv", "table-0.5-2.csv", "table-0.5-3.csv"]
    assert [len(content.splitlines()) for content in files.values()] == [71, 3, 8]
    printed = text.replace(r"\allowbreak{}", "")
    assert "Shown are 60 rows and 3 columns of 70 rows and 3 columns: all are in table-0.5-1.csv." in printed
    assert "Shown are 2 rows and 8 columns of 2 rows and 16 columns: all are in table-0.5-2.csv." in printed
