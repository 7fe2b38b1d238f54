"""What runs outside the user interface: the supervisor of a call and the shim that holds the tool.

Modules here use the standard library alone, and little of it: their import is part of every call.
"""
