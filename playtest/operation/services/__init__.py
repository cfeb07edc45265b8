"""Every write of the room."""
