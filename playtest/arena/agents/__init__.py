"""Reference agents for every server with the official REST API, and what each agent needs (docs/agents.md).

Only `replay.sources` uses the database, so all other agents also play on servers that are not ours.
"""
