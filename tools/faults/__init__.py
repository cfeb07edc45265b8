"""`make faults`: everything that can break is broken under load, and nothing may be lost."""
