"""The board of stages, redundant pairs, and the sets of finished environments."""
