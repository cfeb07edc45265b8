"""How the small test environments are won (tests/environments)."""

from pathlib import Path

WALK_LEVELS = ("444", "222", "114", "331", "242", "133")
WALK = [int(action) for level in WALK_LEVELS for action in level]
"""wk01: eighteen moves, three a level; action 1 from the first level's start is the pit."""

ENVIRONMENTS = Path(__file__).parents[1] / "environments"
PLAYED = ("ck01", "ft01", "rn01", "wk01")
"""The environments every test server knows."""
