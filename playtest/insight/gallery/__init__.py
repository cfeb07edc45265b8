"""The gallery for staff: what pages are made of, and the states of lists and figures."""
