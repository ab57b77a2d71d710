"""Qt item models over frozen values of the core."""
