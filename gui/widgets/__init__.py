"""The window of XLA Museum."""
