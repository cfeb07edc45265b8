"""What a study will be able to say, before anybody is recruited; and how many people it takes.

`precision.py` has the quantities, `estimates.py` what an earlier study tells of their assumptions, `plan.py`
all of them for one set of assumptions. The tests compare every formula with simulated studies.
"""
