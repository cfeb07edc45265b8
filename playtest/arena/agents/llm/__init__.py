"""An agent that asks a language model for every action, by the report's prompt rules (report 4.3.1)."""
