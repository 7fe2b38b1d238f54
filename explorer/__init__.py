"""Skill Explorer: the terminal interface and the command line over ``core``."""
