"""Skill Explorer: the terminal interface and the command line over ``core``."""

__version__ = "0.1.0"
