"""How the tables of an export are read by programs: the lines that its README has."""

from collections.abc import Iterator

_POLARS = """\
import polars as pl

levels = pl.{read}.filter("in_baseline")
baseline = levels.group_by("environment", "version", "level").agg(pl.quantile("actions", 0.5, "higher"))"""
_PANDAS = """\
import pandas as pd

levels = pd.{read}.query("in_baseline")
baseline = levels.groupby(["environment", "version", "level"])["actions"].quantile(interpolation="higher")"""
_READ = {
    "parquet": ('read_parquet("{file}")', 'read_parquet("{file}")'),
    "csv": ('read_csv("{file}", infer_schema_length=None)', 'read_csv("{file}")'),
}


def baseline_lines(file: str) -> Iterator[str]:
    """Markdown: the baseline from the file of `level_results`, by polars and by pandas.

    That is the upper median of the actions of everybody who completed a level.
    """
    polars, pandas = (read.format(file=file) for read in _READ[file.rpartition(".")[2]])
    yield "The baseline of every level in three lines of polars or of pandas:"
    for lines in (_POLARS.format(read=polars), _PANDAS.format(read=pandas)):
        yield from ("", "```python", *lines.splitlines(), "```")


def readme(study: str, form: str, of_actions: str) -> str:
    """The README of a study's tables in one form, `parquet` or `csv`."""
    lines = (
        f"# {study}",
        "",
        f"One {form} file a table; `codebook.md` describes every column. In `attempts` and `level_results`",
        "`counts` says what is in the numbers that are shown, `in_baseline` what the baselines are of.",
        f"Of actions in `level_results`, {of_actions}.",
        "",
        *baseline_lines(f"level_results.{form}"),
    )
    return "\n".join(lines) + "\n"
