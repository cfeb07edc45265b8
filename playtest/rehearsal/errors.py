"""The error that ends a rehearsal."""


class RehearsalFailed(Exception):
    """The server did not do what a participant's browser expects."""


class SeatLost(RehearsalFailed):
    """The session was moved to another station, or its code was replaced."""
