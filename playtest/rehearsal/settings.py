"""Settings of a rehearsal's own server. It does not wait for the disk: a rehearsal can be repeated."""

from playtest.settings import *  # noqa: F403
from playtest.settings import DATABASE_URL, DATABASES

DURABLE = False

_options = DATABASES["default"]["OPTIONS"]
if DATABASE_URL:
    _options["options"] = f"{_options.get('options', '')} -c synchronous_commit=off".strip()
else:
    _options["init_command"] += " PRAGMA synchronous=NORMAL;"
