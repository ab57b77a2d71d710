"""Completion and help for code, from jedi in a child."""
