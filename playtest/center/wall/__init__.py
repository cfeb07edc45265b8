"""The wall: every station live on one page (docs/wall.md)."""
