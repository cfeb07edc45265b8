"""Requests of the studio to confined processes (`engine.client`); each module makes one kind."""
