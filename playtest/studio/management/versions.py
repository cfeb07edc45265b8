"""The version that a command is about."""

from django.core.management.base import CommandError
from django.db.models import F

from playtest.studio.models import Version


def version_named(code: str, digest: str | None) -> Version:
    """The current version of an environment, or the one whose digest begins so; CommandError without one."""
    versions = Version.objects.select_related("environment").filter(environment__code=code)
    if not versions.exists():
        raise CommandError(f"environment_unknown: there is no environment {code!r} here.", returncode=2)
    if digest is None:
        return versions.get(pk=F("environment__current"))
    found = list(versions.filter(digest__startswith=digest)[:2])
    if len(found) != 1:
        which = f"two versions of {code} begin" if found else f"no version of {code} begins"
        raise CommandError(f"version_unknown: {which} with {digest!r}.", returncode=2)
    return found[0]
