"""Builds what is served from `static/`, once for each state of it. Needs neither Node.js nor a network.

The bundles are compressed when they are built, pages when they are answered.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from whitenoise.storage import CompressedManifestStaticFilesStorage

_TEXT = ("text/", "application/json", "application/javascript", "image/svg+xml")


class TextCompression(GZipMiddleware):
    """Compresses text alone: films, archives and pictures are compressed already.

    A body's length tells little about the secrets in it (BREACH): the only one, the CSRF token, is masked
    anew in each answer, and Django adds up to 100 random bytes to each compressed body.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if not response.get("Content-Type", "").startswith(_TEXT):
            return response
        return super().process_response(request, response)


class Bundles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Bundles under STATIC_ROOT, each under a name with its digest, plain, as gzip and as Brotli."""

    support_js_module_import_aggregation = True  # names in imports get their digest, too

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **{"location": settings.ASSETS_DIR} | options)


BUILT_FROM = "built-from"
"""The name of the file, beside the bundles, with the digest of what they were built from."""


def is_built(root: Path, static: Path, templates: Path) -> bool:
    """Whether the bundles in `root` are those of these folders, which may have changed since."""
    try:
        return (root / BUILT_FROM).read_text() == digest_of(static, templates)
    except OSError:
        return False


def digest_of(static: Path, templates: Path) -> str:
    """The digest of all that the bundles are made of, and of the modules that make them."""
    digest = sha256()
    files = [(folder, file) for folder in (static, templates) for file in sorted(folder.rglob("*"))]
    here = Path(__file__).parent
    files += [(here, here / f"{name}.py") for name in ("assets", "bundles")]
    for folder, file in files:
        if file.is_file():
            content = file.read_bytes()
            digest.update(f"{file.relative_to(folder)} {len(content)} ".encode() + content)
    return digest.hexdigest()


def build(root: Path, static: Path, templates: Path) -> bool:
    """Builds the bundles into `root` unless they are there; returns whether it did. Raises BundleError.

    Bundles of before stay: pages that are open during an update may still ask for them.
    """
    if is_built(root, static, templates):
        return False
    storage = Bundles(location=root)
    contents = _contents(static, templates)
    for path, content in contents.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    for _, _, outcome in storage.post_process({path: (storage, path) for path in contents}):
        if isinstance(outcome, Exception):
            raise outcome
    (root / BUILT_FROM).write_text(digest_of(static, templates))
    return True


def _contents(static: Path, templates: Path) -> dict[str, bytes]:
    """What is served, by path: the bundles, and other files as they are."""
    from playtest.serve.bundles import bundled_modules, bundled_style, named_by

    files = {str(file.relative_to(static)): file for file in sorted(static.rglob("*")) if file.is_file()}
    named = named_by(file.read_text() for file in sorted(templates.rglob("*.html")))
    texts = {path: file.read_text() for path, file in files.items() if file.suffix in (".js", ".css")}
    modules = {path: text for path, text in texts.items() if path.endswith(".js")}
    bundles = bundled_modules(modules, {path for path in named if path.endswith(".js")})
    styles = {path: bundled_style(path, texts) for path in named if path.endswith(".css")}
    others = {
        path: file.read_bytes()
        for path, file in files.items()
        if path not in texts and not path.endswith(".d.ts")
    }
    return {path: text.encode() for path, text in (bundles | styles).items()} | others
