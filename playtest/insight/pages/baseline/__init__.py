"""The human baseline of a version, and its releases."""
