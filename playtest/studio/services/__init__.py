"""Every write of the studio."""

from playtest.studio.services.importing import BASELINE, load_environments
from playtest.studio.services.loading import LoadResult

__all__ = ["BASELINE", "LoadResult", "load_environments"]
