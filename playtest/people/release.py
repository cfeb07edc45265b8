"""Which version of the product this is, by the file VERSION and a digest of what runs; is it prepared?"""

from functools import cache
from hashlib import sha256
from pathlib import Path

from django.conf import settings

_SOURCES = ("engine", "playtest", "templates", "static")
_ENDINGS = (".py", ".html", ".js", ".css", ".c")
_DIGITS = 8


@cache
def release() -> str:
    """The number of the release, as `0.7.0`; a release is made as docs/operation.md says."""
    return (settings.BASE_DIR / "VERSION").read_text().strip()


@cache
def version() -> str:
    """The number and a digest of the sources as this process found them, as `0.7.0 (1f0c2a9b)`.

    The digest needs no repository, so that two states of one number differ in every layout.
    """
    digest = sha256()
    for source in _SOURCES:
        for folder, inside, files in (settings.BASE_DIR / source).walk():
            inside.sort()
            for path in (folder / name for name in sorted(files) if name.endswith(_ENDINGS)):
                digest.update(str(path.relative_to(settings.BASE_DIR)).encode())
                digest.update(path.read_bytes())
    return f"{release()} ({digest.hexdigest()[:_DIGITS]})"


def computed(name: str) -> str:
    """The cache's key of something that this version computed: another version computes it anew."""
    return f"{version().replace(' ', '')}:{name}"


def left_to_prepare() -> Path:
    """A file that exists while something of `prepare` is left that the first page does not need."""
    path: Path = settings.DATA_DIR / "left-to-prepare"
    return path
