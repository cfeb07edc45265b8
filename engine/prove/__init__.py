"""What is found out about an environment: its states, its faults, how far random play gets."""
