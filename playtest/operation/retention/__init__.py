"""How long each kind of data is kept, and what erases it when its time is over (docs/operation.md)."""
