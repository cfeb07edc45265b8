"""`/metrics` of one process: what play has measured, and what is read when somebody asks."""
