"""Builds the compiled drawing, where a C compiler is: `python -m engine.render_build`.

What is built lies beside the packages of this Python, named by all that it was built from and for, so that
another version of any of it is never loaded. Nothing needs it: without it `engine.render` draws with NumPy.
"""

from __future__ import annotations

import os
import platform
import shlex
import subprocess
import sys
import sysconfig
import tempfile
from hashlib import sha256
from pathlib import Path

import numpy as np

MODULE = "playtest_render"
MOST_SECONDS = 120

_SOURCES = [Path(__file__).with_name(name) for name in ("render.c", "render_sprite.h")]
_FLAGS = ("-O3", "-shared", "-fPIC", "-fvisibility=hidden")


def built(folder: Path | None = None) -> Path:
    """Where the compiled drawing lies for these sources, this Python and this NumPy, if it was built.

    `folder`: that of this Python's packages, unless another is given.
    """
    digest = sha256(f"{sys.version} {np.__version__} {platform.machine()} {_FLAGS}".encode())
    for source in _SOURCES:
        digest.update(source.read_bytes())
    return (folder or Path(sysconfig.get_path("platlib"))) / f"{MODULE}-{digest.hexdigest()[:16]}.so"


def build(folder: Path | None = None) -> str | None:
    """Builds it in one step, unless that has been done; the reason if it cannot be built."""
    target = built(folder)
    if target.exists():
        return None
    try:
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{MODULE}-") as workshop:
            made = Path(workshop) / "made.so"
            reason = _compile(made)
            if reason is None:
                made.replace(target)
    except OSError as error:
        return f"{error}"
    if reason is None:
        _remove_others(target)
    return reason


def _compile(made: Path) -> str | None:
    includes = [f"-I{folder}" for folder in (sysconfig.get_path("include"), np.get_include())]
    command = [*_compiler(), *_FLAGS, *includes, str(_SOURCES[0]), "-o", str(made)]
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


def _compiler() -> list[str]:
    return shlex.split(os.environ.get("CC", "")) or ["cc"]


def _remove_others(target: Path) -> None:
    for other in target.parent.glob(f"{MODULE}-*.so"):
        if other != target:
            other.unlink(missing_ok=True)


def main() -> None:
    reason = build()
    if reason is not None:
        print(f"Environments draw without compiled code, more slowly: {reason}.")  # noqa: T201


if __name__ == "__main__":
    main()
