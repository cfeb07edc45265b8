"""Requests of the studio to confined processes (`engine.confine.client`); each module makes one kind."""
