"""What keeps a rehearsal from going on."""


class RehearsalFailed(Exception):
    """The server did not do what a person at a browser can expect of it."""
