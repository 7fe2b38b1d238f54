"""The resolver core of Skill Explorer: files to models to flattened skills, and calls of single tools.

Nothing below this package imports a user-interface library.
"""
