"""What a study will be able to say, before anybody is recruited; and how many people it takes.

Each module has one quantity; `plan.py` has all of them for one set of assumptions. The tests compare every
formula with simulated studies.
"""
