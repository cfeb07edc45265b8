"""The status page for the lead: what runs, what waits, and what was done to keep the record safe."""
