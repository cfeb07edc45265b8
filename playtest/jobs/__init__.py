"""Jobs for background workers: their columns and their state machine."""
