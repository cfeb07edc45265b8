"""The Celery application. The embedded broker is a folder (`serve.broker`), made here: kombu does not."""

import logging.config
import os
import warnings
from pathlib import Path
from typing import Any

from celery import Celery
from celery.signals import beat_init, setup_logging, worker_ready, worker_shutting_down
from django.conf import settings
from kombu.transport import TRANSPORT_ALIASES

from playtest.jobs import shutdown

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "playtest.settings")

# The warning is about messages that run code; ours are JSON.
warnings.filterwarnings("ignore", message="You're running the worker with superuser privileges")

TRANSPORT_ALIASES["filesystem"] = "playtest.serve.broker:Transport"

app = Celery("playtest")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@app.on_after_configure.connect
def make_broker_folders(sender: Celery, **_: object) -> None:
    options = sender.conf.broker_transport_options or {}
    for name in ("data_folder_in", "data_folder_out", "control_folder"):
        if folder := options.get(name):
            Path(folder).mkdir(parents=True, exist_ok=True)


@setup_logging.connect
def use_our_log(**_: object) -> None:
    """Lines of workers are as those of the server, and their level is LOG_LEVEL."""
    logging.config.dictConfig(settings.LOGGING)


@worker_shutting_down.connect
def stop_jobs(**_: object) -> None:
    """Tells jobs to stop: the worker does not wait until they are done."""
    shutdown.requested.set()


@worker_ready.connect
def announce_worker(sender: Any, **_: object) -> None:
    """Says under the name of the Procfile that it runs: "celery" is what Celery calls the first worker."""
    name = str(sender.hostname).partition("@")[0]
    _announce("worker" if name == "celery" else name)


@beat_init.connect
def announce_beat(**_: object) -> None:
    _announce("beat")


def _announce(name: str) -> None:
    from playtest.operation.presence import announce  # needs Django's models

    announce(name)
