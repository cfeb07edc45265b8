"""`python -m tools.faults.manager NAME...`: the product's supervisor with these processes of the Procfile.

The server is `tools.faults.serve_at`. A process that was killed is restarted at once, however often
that was: a run of hundreds of faults would else wait for the supervisor's back-off most of the time.
"""

import sys

from django.conf import settings

from playtest.serve import up
from playtest.serve.up import commands

if __name__ == "__main__":
    found = commands(settings.BASE_DIR / "Procfile")
    found["web"] = found["web"].replace("playtest.serve", "tools.faults.serve_at")
    up.FIRST_WAIT_SECONDS = up.LONGEST_WAIT_SECONDS = 0.2
    sys.exit(up.Supervisor({name: found[name] for name in sys.argv[1:]}).run())
