"""Attacks of foreign code that has switched off what Python forbids, each in a confined process of its own.

`python -m tests.engine.hostile` reads JSON on standard input: `names` (what the attacks may refer to),
`attacks` (source text by name), and `confined`. It writes what became of each: what the attack's last
expression returned as "got ...", the class of the exception it raised, or "ended by N", a signal.
"""

from __future__ import annotations

import ast
import json
import os
import sys
from typing import Any

import numpy  # noqa: F401  as in a host, before it is confined

from engine.confine import kernel
from engine.confine.confinement import Confinement
from engine.confine.process import readable_folders

PRELUDE = """
import ctypes, os, resource, signal, socket, sqlite3, struct, sys, threading
libc = ctypes.CDLL(None, use_errno=True)
def call(*arguments):
    result = libc.syscall(*arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result
"""


def main() -> None:
    task = json.load(sys.stdin)
    names: dict[str, Any] = task["names"]
    exec(PRELUDE, names)
    if task["confined"]:
        kernel.prepare(readable_folders())
    outcomes = {name: _outcome(text, names, task["confined"]) for name, text in task["attacks"].items()}
    json.dump(outcomes, sys.stdout)


def _outcome(attack: str, names: dict[str, Any], confined: bool) -> str:
    results, writes = os.pipe()
    process = os.fork()
    if process == 0:
        try:
            if confined:
                _confine()
            said = _attacked(attack, names)
        except BaseException as error:
            said = type(error).__name__
        os.write(writes, said.encode())
        os._exit(0)
    os.close(writes)
    with os.fdopen(results) as reader:
        said = reader.read()
    code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    return said or f"ended by {-code}"


def _confine() -> None:
    confinement = Confinement(memory_megabytes=512, host_memory_megabytes=512)
    Confinement._audit = lambda *given: None  # type: ignore[method-assign]
    Confinement._replace_functions = lambda *given: None  # type: ignore[method-assign]
    confinement.seal(os.pipe()[1])


def _attacked(attack: str, names: dict[str, Any]) -> str:
    *statements, last = ast.parse(attack).body
    assert isinstance(last, ast.Expr)
    exec(compile(ast.Module(statements, []), "attack", "exec"), names)
    return f"got {eval(compile(ast.Expression(last.value), 'attack', 'eval'), names)!r:.80}"


if __name__ == "__main__":
    main()
