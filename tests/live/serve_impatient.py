"""`python -m tests.live.serve_impatient`: closes idle stations after three seconds of silence."""

import sys

import django

SILENCE_SECONDS = 3.0
"""Longer than a test's own process is ever kept from sending its pings."""
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
