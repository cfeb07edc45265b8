"""Static tasks: attempts, success, acceptance, agreement on wrong outputs, duplicates, effort.

Grids are rows of colours; every function takes the protocol's numbers as arguments.
"""
