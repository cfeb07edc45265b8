"""Counts the clicks, keys and fields of everyday work of staff, and compares them with docs/clicks.md."""
