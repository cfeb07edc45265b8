"""The error that ends a rehearsal."""


class RehearsalFailed(Exception):
    """The server did not do what a participant's browser expects."""
