"""`python -m tests.live.serve_impatient`: the server; idle stations that are silent for a second are closed."""

import sys

import django

SILENCE_SECONDS = 1.0
BEAT_SECONDS = 0.25


def main() -> int:
    django.setup()
    from playtest import serve
    from playtest.center.stations import consumers, presence

    consumers.SILENCE_SECONDS = SILENCE_SECONDS
    presence.BEAT_SECONDS = BEAT_SECONDS
    return serve.main()


if __name__ == "__main__":
    sys.exit(main())
