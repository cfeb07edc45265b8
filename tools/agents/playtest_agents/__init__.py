"""Reference agents for every server with the official ARC-AGI-3 REST API (docs/agents.md).

They install beside `arc-agi` and import nothing of Playtest. `game` has what an agent needs.
"""
