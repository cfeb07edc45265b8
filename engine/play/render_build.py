"""Builds the compiled renderer where a C compiler is installed: `python -m engine.play.render_build`.

The library lies beside the packages of this Python. Its name has a digest of its sources, Python and NumPy,
so that a library built for others is never loaded. Without it `engine.play.rendering` and `.frames`
use NumPy.
"""

from __future__ import annotations

import importlib.util
import os
import platform
import shlex
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from types import ModuleType

import numpy as np

MODULE = "playtest_render"
MOST_SECONDS = 120

_SOURCES = [Path(__file__).with_name(name) for name in ("render.c", "render_sprite.h", "runs.h")]
_FLAGS = ("-O3", "-shared", "-fPIC", "-fvisibility=hidden")


def built(folder: Path | None = None) -> Path:
    """The path of the library for these sources, this Python and this NumPy; it may not exist.

    `folder` is that of this Python's packages by default.
    """
    digest = sha256(f"{sys.version} {np.__version__} {platform.machine()} {_FLAGS}".encode())
    for source in _SOURCES:
        digest.update(source.read_bytes())
    return (folder or Path(sysconfig.get_path("platlib"))) / f"{MODULE}-{digest.hexdigest()[:16]}.so"


def loaded(path: Path | None = None) -> ModuleType | None:
    """The compiled library, if it is built and this Python can load it."""
    path = path or built()
    spec = importlib.util.spec_from_file_location(MODULE, path)
    if spec is None or spec.loader is None or not path.exists():
        return None
    try:
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    except (ImportError, OSError, RuntimeError):
        return None
    return module


def build(folder: Path | None = None, compiler: Sequence[str] = ("cc",)) -> str | None:
    """Builds the library unless it exists; returns the reason if it cannot be built."""
    target = built(folder)
    if target.exists():
        return None
    try:
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{MODULE}-") as workshop:
            made = Path(workshop) / "made.so"
            reason = _compile(made, compiler)
            if reason is None:
                made.replace(target)
    except OSError as error:
        return f"{error}"
    if reason is None:
        _remove_others(target)
    return reason


def _compile(made: Path, compiler: Sequence[str]) -> str | None:
    includes = [f"-I{folder}" for folder in (sysconfig.get_path("include"), np.get_include())]
    command = [*compiler, *_FLAGS, *includes, str(_SOURCES[0]), "-o", str(made)]
    try:
        subprocess.run(command, check=True, capture_output=True, text=True, timeout=MOST_SECONDS)
    except FileNotFoundError:
        return f"there is no C compiler ({command[0]})"
    except subprocess.CalledProcessError as error:
        lines = [line for line in error.stderr.splitlines() if "error" in line] or ["the compiler failed"]
        return str(lines[0]).strip()
    except subprocess.TimeoutExpired:
        return f"the compiler took longer than {MOST_SECONDS} s"
    return None


def _remove_others(target: Path) -> None:
    for other in target.parent.glob(f"{MODULE}-*.so"):
        if other != target:
            other.unlink(missing_ok=True)


def main() -> None:
    reason = build(compiler=shlex.split(os.environ.get("CC", "")) or ("cc",))
    if reason is not None:
        print(f"Environments are drawn without compiled code, more slowly: {reason}.")  # noqa: T201


if __name__ == "__main__":
    main()
