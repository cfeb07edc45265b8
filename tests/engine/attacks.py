"""What hostile environments try, as source text by name, with what becomes of it.

Those of a host run as an action of an environment (`tests.engine.sources.written`): what they may name is
what is imported there. Those of the kernel have switched off what Python forbids (`UNDO`), and name facts of
a server: `server` (its process), `port`, `key`, `database`, `folder`, `project`, `path` (a Unix socket).
"""

import signal

DENIED = "PermissionError"
ENDED = f"ended by {int(signal.SIGSYS)}"

STUBBORN = "while True:\n    try:\n        while True: pass\n    except BaseException: pass"
SCRIBBLE = """
for descriptor in range(3, 64):
    try:
        os.write(descriptor, bytes([255]) * 100)
    except OSError:
        pass
"""
UNDO = (
    "import engine.confine.confinement\nengine.confine.confinement.Confinement._audit = lambda *given: None"
)
LEAK = "self.kept = getattr(self, 'kept', []) + [np.ones(1_500_000)]"  # 12 MB an action

# In a host: what an action does, and the code of the fault that ends the attempt, alone.
INTERRUPTED = {
    "loops": ("while True: pass", "deadline_exceeded"),
    "loops and catches": (
        "while True:\n    try: time.sleep(0.01)\n    except Exception: pass",
        "deadline_exceeded",
    ),
    "sleeps": ("time.sleep(600)", "deadline_exceeded"),
    "is late and hides it": ("try:\n    time.sleep(600)\nexcept BaseException: pass", "deadline_exceeded"),
    "raises": ("raise RuntimeError('broken')", "environment_raised"),
    "raises no Exception": ("raise GeneratorExit", "environment_raised"),
    "interrupts": ("raise KeyboardInterrupt", "environment_raised"),
    "exits": ("sys.exit(1)", "environment_raised"),
    "recurses": ("self.step()", "environment_raised"),
    "allocates": ("kept = []\nwhile True: kept.append(bytes(100_000_000))", "memory_exceeded"),
    "asks for too much": ("np.ones(10**10)", "memory_exceeded"),
    "opens what is not there": ("open('not_there')", "environment_raised"),
    "forks": ("os.fork()", "forbidden_operation"),
    "forks and hides it": ("try:\n    os.fork()\nexcept BaseException: pass", "forbidden_operation"),
    "spawns": ("import subprocess\nsubprocess.run(['true'])", "forbidden_operation"),
    "runs a shell": ("os.system('true')", "forbidden_operation"),
    "starts a thread": ("import threading\nthreading.Thread(target=print).start()", "forbidden_operation"),
    "kills its server": ("os.kill(os.getppid(), 9)", "forbidden_operation"),
    "kills itself": ("os.kill(os.getpid(), 9)", "forbidden_operation"),
    "stops itself": ("os.kill(os.getpid(), 19)", "forbidden_operation"),
    "stops itself and hides it": (
        "try:\n    os.kill(os.getpid(), 19)\nexcept BaseException: pass",
        "forbidden_operation",
    ),
    "opens a socket": ("import socket\nsocket.socket()", "forbidden_operation"),
    "opens a database": ("import sqlite3\nsqlite3.connect(':memory:')", "forbidden_operation"),
    "calls into C": ("import ctypes\nctypes.CDLL(None)", "forbidden_operation"),
    "calls into C by the engine's own handle": (
        "import engine.confine.kernel\nengine.confine.kernel._libc.syscall(39)",
        "forbidden_operation",
    ),
    "calls into C by Python's own handle": (
        "sys.modules['ctypes'].pythonapi.syscall(39)",
        "forbidden_operation",
    ),
    "hides that it touched the engine's handle": (
        "import engine.confine.system_calls as c\ntry: c._libc.syscall(39)\nexcept BaseException: pass",
        "forbidden_operation",
    ),
    "makes a pipe with a name": ("os.mkfifo('left_behind')", "forbidden_operation"),
    "makes a node": ("os.mknod('left_behind')", "forbidden_operation"),
    "makes a node from below": ("import posix\nposix.mknod('left_behind')", "forbidden_operation"),
    "limits its server": (
        "import resource\nresource.prlimit(os.getppid(), resource.RLIMIT_NOFILE, (8, 8))",
        "forbidden_operation",
    ),
    "changes its limits": (
        "import resource\nresource.setrlimit(resource.RLIMIT_NOFILE, (8, 8))",
        "forbidden_operation",
    ),
    "moves its server": ("os.sched_setaffinity(os.getppid(), {0})", "forbidden_operation"),
    "slows its server down": (
        "os.setpriority(os.PRIO_PROCESS, os.getppid(), 19)",
        "forbidden_operation",
    ),
    "takes hold of its server": ("os.pidfd_open(os.getppid())", "forbidden_operation"),
    "signals its server": (
        "import signal\nsignal.pidfd_send_signal(0, signal.SIGTERM)",
        "forbidden_operation",
    ),
    "lists the project": ("os.listdir('.')", "forbidden_operation"),
    "lists where it is": ("os.listdir()", "forbidden_operation"),
    "lists other processes": ("list(os.scandir('/proc'))", "forbidden_operation"),
    "writes a file": ("open('left_behind', 'w')", "forbidden_operation"),
    "writes by descriptor": ("open(3, 'wb')", "forbidden_operation"),
    "removes a file": ("os.remove('manage.py')", "forbidden_operation"),
    "reads the project": ("open('manage.py').read()", "forbidden_operation"),
    "reads beside the packages": ("open(sys.executable, 'rb').read(1)", "forbidden_operation"),
    "reads with a library in C": ("import av\nav.open('manage.py')", "forbidden_operation"),
    "connects with a library in C": ("import psycopg", "forbidden_operation"),
    "reads its server's environment": (
        "open(f'/proc/{os.getppid()}/environ').read()",
        "forbidden_operation",
    ),
    "changes its environment": ("os.environ['ONLY_RESET_LEVELS'] = 'true'", "forbidden_operation"),
}
# The same, and the host is lost.
TAKES_THE_HOST_ALONG = {
    "loops and catches everything": (STUBBORN, "deadline_exceeded"),
    "loops in C": ("sum(range(10**13))", "deadline_exceeded"),
    "switches the deadline off": (
        "import signal\nsignal.setitimer(signal.ITIMER_REAL, 0)\nwhile True: pass",
        "deadline_exceeded",
    ),
    "ends its process": ("os._exit(0)", "host_died"),
    "kills its process": ("import signal\nsignal.raise_signal(signal.SIGKILL)", "forbidden_operation"),
    "stops its process": ("import signal\nsignal.raise_signal(signal.SIGSTOP)", "forbidden_operation"),
    "aborts": ("os.abort()", "host_died"),
    "crashes": ("import faulthandler\nfaulthandler._sigsegv()", "host_died"),
    "scribbles into every pipe": (SCRIBBLE, "host_died"),
    "forbids nothing and connects": (f"{UNDO}\nimport socket\nsocket.socket()", "forbidden_operation"),
    "forbids nothing and hides it": (
        f"{UNDO}\ntry:\n    os.kill(os.getppid(), 0)\nexcept BaseException: pass",
        "forbidden_operation",
    ),
    "forbids nothing and kills itself": (f"{UNDO}\nos.kill(os.getpid(), 9)", "forbidden_operation"),
    "forbids nothing and stops itself": (f"{UNDO}\nos.kill(os.getpid(), 19)", "forbidden_operation"),
    "forbids nothing and stops itself in C": (
        f"{UNDO}\nimport ctypes\nctypes.CDLL(None).kill(os.getpid(), 19)",
        "forbidden_operation",
    ),
    "forbids nothing and reads": (f"{UNDO}\nopen('/etc/passwd')", "code_replaced"),
    "answers for its host": (
        "import engine.confine.host\nengine.confine.host.facts_of = lambda turn: {}\nself.win()",
        "code_replaced",
    ),
    "changes what the engine does": (
        "from engine.play.game import Game\nGame.act.__code__ = (lambda self, action: self.turn).__code__\n"
        "1 / 0",
        "code_replaced",
    ),
    "changes arcengine": ("Camera.render = lambda *given: None\nself.next_level()", "code_replaced"),
    "changes json": ("import json\njson.dumps = print\nself.next_level()", "code_replaced"),
}

# Attacks that harm nothing: what they get without confinement starts like this.
READS = {
    "reads the key": ("open(key).read()", DENIED),
    "reads the key by a system call": ("os.read(os.open(key, os.O_RDONLY), 100)", DENIED),
    "lists the data folder": ("os.listdir(folder)", DENIED),
    "reads the database": (
        "sqlite3.connect(f'file:{database}?mode=ro', uri=True).execute('SELECT * FROM secrets').fetchall()",
        "OperationalError",
    ),
    "reads its server's environment": ("open(f'/proc/{server}/environ', 'rb').read()", DENIED),
    "reads its server's memory": ("open(f'/proc/{server}/mem', 'rb').seek(1)", DENIED),
    "lists its server's files": ("os.listdir(f'/proc/{server}/fd')", DENIED),
    "lists processes": ("os.listdir('/proc')", DENIED),
    "reads the list of users": ("open('/etc/passwd').read(1)", DENIED),
    "reads the sources of the center": ("open(project + '/playtest/settings.py').read(1)", DENIED),
    "connects by TCP": ("socket.create_connection(('127.0.0.1', port)).recv(6)", ENDED),
    "sends by UDP": (
        "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', port))",
        ENDED,
    ),
    "connects to a Unix socket": (
        "s = socket.socket(socket.AF_UNIX)\ns.connect(path)\ns.recv(6)",
        DENIED,
    ),
    "listens": ("s = socket.socket()\ns.bind(('127.0.0.1', 0))\ns.listen()", ENDED),
    "forks": ("os.fork() or os._exit(0)", ENDED),
    "forks in C": ("libc.fork() or os._exit(0)", ENDED),
    "starts a program": ("os.posix_spawn('/bin/true', ['true'], {})", ENDED),
    "starts a thread": ("threading.Thread(target=print).start()", "RuntimeError"),
    "looks at its server": ("os.kill(server, 0)", ENDED),
    "looks at its server by a descriptor": ("os.pidfd_open(server)", ENDED),
    "signals its group": ("os.killpg(0, 0)", ENDED),
    "makes a file": ("open(folder + '/made', 'w')", DENIED),
    "makes a file beside the packages": ("open(os.__file__ + '.made', 'w')", DENIED),
    "makes a file in memory": ("os.memfd_create('made')", ENDED),
    "makes a folder": ("os.mkdir(folder + '/made-folder')", ENDED),
    "changes who may read the key": ("os.chmod(key, 0o600)", ENDED),
    "links the key": ("os.symlink(key, folder + '/made-link')", ENDED),
    "truncates by name": ("os.truncate(folder + '/empty', 0)", ENDED),
    "dates a file back": ("os.utime(folder + '/empty')", ENDED),
    "changes the limits of its server": (
        "resource.prlimit(server, resource.RLIMIT_CORE, (0, 0))",
        ENDED,
    ),
    "slows its server down": ("os.setpriority(os.PRIO_PROCESS, server, 0)", ENDED),
    "changes its own limits": ("resource.setrlimit(resource.RLIMIT_CORE, (0, 0))", DENIED),
    "asks for signals of a socket": (
        "import fcntl\nfcntl.fcntl(os.pipe()[0], fcntl.F_SETOWN, os.getpid())",
        DENIED,
    ),
}
# Attacks that could harm the machine of the test: nothing says what they would get.
HARMS = {
    "kills its server": "os.kill(server, 15)",
    "kills a thread of its server": "call(234, server, server, 15)",
    "ends a process in C": "libc.kill(server, 15)",
    "traces its server": "libc.ptrace(16, server, 0, 0)",
    "reads its server's memory by a call": "call(310, server, 0, 0, 0, 0, 0)",
    "writes its server's memory by a call": "call(311, server, 0, 0, 0, 0, 0)",
    "sets the clock": "libc.clock_settime(0, struct.pack('=qq', 1, 0))",
    "adjusts the clock": "libc.adjtimex(bytes(256))",
    "becomes root": "os.setresuid(0, 0, 0)",
    "takes privileges": "call(126, bytes(8), bytes(24))",
    "mounts": "libc.mount(b'none', b'/mnt', b'tmpfs', 0, None)",
    "enters other namespaces": "os.setns(0, 0)",
    "makes a user namespace": "os.unshare(0x10000000)",
    "changes the root folder": "os.chroot('/')",
    "removes the database": "os.remove(database)",
    "renames the database": "os.rename(database, database + '.old')",
    "executes a program": "os.execv('/bin/true', ['true'])",
    "uses rings": "call(425, 1, bytes(120))",
    "loads a program into the kernel": "call(321, 0, 0, 0)",
    "watches the machine": "call(298, 0, 0, 0, 0, 0)",
    "reads keys of the kernel": "call(250, 0, 0, 0, 0, 0)",
    "opens a file by its handle": "call(304, 0, 0, 0)",
    "shares memory by a key": "call(29, 1, 4096, 0o1666)",
    "sends itself a queued signal": "call(129, server, 15, 0)",
    "calls as a 32-bit program": "call(0x40000000 + 39)",
}
