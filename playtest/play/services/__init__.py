"""Every write of this room."""
