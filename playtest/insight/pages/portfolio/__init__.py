"""The table of all environments."""
