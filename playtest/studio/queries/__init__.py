"""Reads of the studio that are more than one filter."""
