"""Tells two states of a game apart, and puts a game back into one.

`identify(game)` gives the identity of the present state; equal states have equal digests.
`restore(game, state)` puts the game back into a state that a `SnapshotStore` of it recorded.

Everything outside of this package uses only what is exported here.
"""

from engine.prove.state.contents import NotRestorable
from engine.prove.state.identity import Identity, identify
from engine.prove.state.snapshots import Snapshot, SnapshotStore, restore

__all__ = ["Identity", "NotRestorable", "Snapshot", "SnapshotStore", "identify", "restore"]
