"""A process that has all modules loaded and forks engine hosts: `python -m engine.confine.fork_server`.

A fork shares the loaded modules until one of the two processes writes to them. So a host starts in
milliseconds and stays small, and what foreign code does to shared modules stays in its own host.

Standard input is a Unix stream socket. The caller writes requests of five bytes, `<BI`:

    FORK  host   with one descriptor (SCM_RIGHTS): the socket of the new host (`engine.confine.host`)
    KILL  host   ends it; nothing happens if it has ended

`host` is a number chosen by the caller. The answers are messages as in `engine.confine.answers`:

    host, pid     it runs now
    host, failed  it could not be forked: a sentence
    host, ended   its exit code, or the negative number of the signal that ended it
    missing       names of `engine.confine.kernel.MISSING`, once at the start: what this machine's kernel
                  lacks

When the socket is closed, the process kills every host and ends, so that no host outlives the caller. A host
ends by itself when its own socket is closed.
"""

from __future__ import annotations

import gc
import os
import select
import signal
import socket
import sys
from contextlib import suppress
from typing import Any, NoReturn

from engine.confine import kernel
from engine.confine.answers import packed
from engine.confine.confinement import originals
from engine.confine.host import serve
from engine.confine.process import FORK, REQUEST, ProcessLimits, leave_standard_streams, readable_folders
from engine.play.actions import Action
from engine.play.frames import encode
from engine.play.game import Game
from engine.play.source import from_parts

_SMALLEST = """
import random
import numpy as np
from arcengine import ARCBaseGame, Camera, Level, Sprite

class Warm(ARCBaseGame):
    def __init__(self):
        super().__init__("warm", [Level(sprites=[Sprite([[9]])])], Camera())

    def step(self):
        self.current_level.get_sprites()[0].move(1, 0)
        self.complete_action()
"""


class ForkServer:
    """The hosts that were forked and are not known to have ended."""

    def __init__(self, control: socket.socket, limits: ProcessLimits) -> None:
        self._control = control
        self._limits = limits
        self._hosts: dict[int, int] = {}
        # A child that ends interrupts the poll: Python writes the signal's number here.
        self._ended, self._wakes = os.pipe()
        for descriptor in (self._ended, self._wakes):
            os.set_blocking(descriptor, False)
        signal.set_wakeup_fd(self._wakes)
        signal.signal(signal.SIGCHLD, lambda _signal, _frame: None)

    def run(self) -> None:
        """Serves until the control socket is closed."""
        poll = select.poll()
        for descriptor in (self._control.fileno(), self._ended):
            poll.register(descriptor, select.POLLIN)
        with suppress(BrokenPipeError, ConnectionResetError):
            while True:
                ready = {descriptor for descriptor, _ in poll.poll()}
                if self._ended in ready:
                    os.read(self._ended, 4096)
                    self._reap()
                if self._control.fileno() in ready and not self._serve_one():
                    return

    def report(self, missing: list[str]) -> None:
        """Tells the caller what the kernel lacks, if anything."""
        if missing:
            self._send(missing=missing)

    def kill_all(self) -> None:
        """Ends every host and waits until all have ended."""
        for process in self._hosts:
            os.kill(process, signal.SIGKILL)
        with suppress(ChildProcessError):
            while True:
                os.waitpid(-1, 0)

    def _serve_one(self) -> bool:
        """Serves one request; False if the control socket was closed."""
        body, descriptors, _, _ = socket.recv_fds(self._control, REQUEST.size, 1)
        if len(body) < REQUEST.size:
            return False
        operation, host = REQUEST.unpack(body)
        if operation == FORK:
            self._fork(host, descriptors[0])
        else:
            for process in [process for process, number in self._hosts.items() if number == host]:
                os.kill(process, signal.SIGKILL)
        return True

    def _fork(self, host: int, conversation: int) -> None:
        try:
            process = os.fork()
        except OSError as error:
            self._send(host=host, failed=str(error))
        else:
            if process == 0:
                self._become_host(conversation)
            self._hosts[process] = host
            self._send(host=host, pid=process)
        finally:
            os.close(conversation)

    def _become_host(self, conversation: int) -> NoReturn:
        """Turns the forked process into a host. It releases everything of its parent except the modules."""
        code = 1
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os.close(self._ended)
            os.close(self._wakes)
            self._control.close()
            leave_standard_streams()
            warm_up()  # pages that every game writes to become this process's own before anybody waits
            requests = os.fdopen(conversation, "rb", buffering=0)
            answers = os.fdopen(os.dup(conversation), "wb")
            serve(self._limits, requests, answers)
            code = 0
        finally:
            os._exit(code)

    def _reap(self) -> None:
        with suppress(ChildProcessError):
            while True:
                process, status = os.waitpid(-1, os.WNOHANG)
                if process == 0:
                    return
                host = self._hosts.pop(process)
                self._send(host=host, ended=os.waitstatus_to_exitcode(status))

    def _send(self, **message: Any) -> None:
        self._control.sendall(packed(message))


def warm_up() -> None:
    """Plays a few turns, so that hosts also share what is loaded and prepared on first use."""
    game, opening = Game.start(from_parts({"game_id": "warm"}, _SMALLEST, "warm.py"), 0)
    turn = game.act(Action(4))
    packed({"frames": encode(turn.frames, opening.frames[-1])})


def main() -> None:
    limits = ProcessLimits.from_command_line("engine.confine.fork_server", "Forks engine hosts.")
    control = socket.socket(fileno=os.dup(0))
    control.setblocking(True)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.close(null)
    sys.dont_write_bytecode = True
    warm_up()
    originals()
    missing = kernel.prepare(readable_folders())
    gc.collect()
    gc.freeze()
    server = ForkServer(control, limits)
    server.report(missing)
    try:
        server.run()
    finally:
        server.kill_all()


if __name__ == "__main__":
    main()
