"""Loads the tables of this data package.

    from package.load import load      # or, in the package's own folder: from load import load

    study = load("package")            # of polars; load("package", "pandas") of pandas
    print(study.attempts)

Tables and columns are those of `codebook.md`: `study.sessions`, `study.attempts`, `study.entries` and so on;
`vars(study)` has all by name. Times are in UTC. Needs polars, or pandas with pyarrow.
"""

from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

KINDS = ("polars", "pandas")


def load(folder: str | Path = Path(__file__).parent, kind: str = "polars") -> SimpleNamespace:
    """The tables by name. Raises ValueError for another kind of table, FileNotFoundError for no package."""
    if kind not in KINDS:
        raise ValueError(f"a package is loaded as one of {', '.join(KINDS)}, not {kind!r}")
    files = sorted(Path(folder, "parquet").glob("*.parquet"))
    if not files:
        raise FileNotFoundError(f"{folder} is no data package: it has no folder parquet with tables")
    read = import_module(kind).read_parquet
    return SimpleNamespace(**{file.stem: read(file) for file in files})
