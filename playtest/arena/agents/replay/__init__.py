"""Agents that replay actions known to the local database: they prove that the harness scores as it says."""
