"""`python -m tests.live.serve_impatient`: a server that closes idle stations after a second of silence."""

import sys

import django

SILENCE_SECONDS = 1.0
BEAT_SECONDS = 0.25


def main() -> int:
    django.setup()
    from playtest.center.stations import consumers, queries
    from playtest.serve import web

    consumers.SILENCE_SECONDS = SILENCE_SECONDS
    queries.BEAT_SECONDS = BEAT_SECONDS
    return web.main()


if __name__ == "__main__":
    sys.exit(main())
