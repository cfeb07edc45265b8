"""`manage.py signals`: lists the signals of each room with the receivers that are connected."""

from importlib import import_module, util
from typing import Any
from weakref import ReferenceType

from django.apps import apps
from django.core.management import BaseCommand
from django.dispatch import Signal


class Command(BaseCommand):
    help = "Lists the signals of each room, and what receives them."

    def handle(self, *_: Any, **options: Any) -> None:
        for app in apps.get_app_configs():
            if app.name.startswith("playtest") and util.find_spec(f"{app.name}.signals"):
                for name, signal in vars(import_module(f"{app.name}.signals")).items():
                    if isinstance(signal, Signal):
                        self.stdout.write(f"{app.name}.signals.{name}")
                        for _key, known, *_rest in signal.receivers:
                            receiver = known() if isinstance(known, ReferenceType) else known
                            if receiver is not None:
                                self.stdout.write(f"    {receiver.__module__}.{receiver.__qualname__}")
