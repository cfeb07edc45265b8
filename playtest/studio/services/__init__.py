"""Every write of the studio."""

from playtest.studio.services.importing import BASELINE, LoadResult, load_environments

__all__ = ["BASELINE", "LoadResult", "load_environments"]
