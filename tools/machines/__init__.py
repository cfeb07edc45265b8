"""Machines of their own, on which docs/deploy.md is tried word for word."""
