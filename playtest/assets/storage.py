"""Where bundles are stored and how pages refer to them."""

from typing import Any

from django.conf import settings
from whitenoise.storage import CompressedManifestStaticFilesStorage


class Bundles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Bundles under STATIC_ROOT, each under a name with its digest, plain, as gzip and as Brotli."""

    support_js_module_import_aggregation = True  # names in imports get their digest, too

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **{"location": settings.ASSETS_DIR} | options)
