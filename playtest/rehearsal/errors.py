"""The error that ends a rehearsal."""


class RehearsalFailed(Exception):
    """The server did not do what a participant's browser expects."""


class TryAgain(RehearsalFailed):
    """The server closed the connection and asked the page to connect again (4503)."""


class SeatLost(RehearsalFailed):
    """The session was moved to another station, or its code was replaced."""
