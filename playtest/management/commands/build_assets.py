"""`manage.py build_assets`: what is served of `static/`, bundled and compressed. `prepare` does it, too."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from playtest.serve.assets import build
from playtest.serve.bundles import BundleError


class Command(BaseCommand):
    help = "Bundle and compress the style sheets and JavaScript of static/, unless that has been done."
    requires_system_checks = []  # they import every page

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            build(settings.ASSETS_DIR, settings.BASE_DIR / "static", settings.BASE_DIR / "templates")
        except BundleError as error:
            raise CommandError(f"bundle_impossible: {error}") from error
