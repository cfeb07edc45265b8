"""`python -m playtest.rehearsal.serve`: a server in the virtual time of the clock at REHEARSAL_CLOCK.

It serves rehearsals only, beside the server that holds the same DATA_DIR. Needs
DJANGO_SETTINGS_MODULE=playtest.rehearsal.settings.
"""

import os

import django

from playtest.serve.web import serve


def main() -> None:
    django.setup()
    from playtest.rehearsal.clock import VirtualClock, virtual_time

    with virtual_time(VirtualClock(os.environ["REHEARSAL_CLOCK"])):
        serve()


if __name__ == "__main__":
    main()
