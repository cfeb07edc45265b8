"""The REST API for agents, under `/api/`: plain ASGI, compatible with arc_agi's (docs/api.md)."""
