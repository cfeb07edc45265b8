"""Measurements, side by side with what they are compared to. `make bench` runs every section."""
