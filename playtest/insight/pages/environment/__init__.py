"""The pages of one environment: its levels, and two of its versions side by side."""
