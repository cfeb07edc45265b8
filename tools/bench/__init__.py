"""Measurements of the product beside baselines; `make bench` runs every section."""
