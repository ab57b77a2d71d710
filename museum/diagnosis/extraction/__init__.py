"""The child that reads every raise site out of an environment's JAX: standard library only, Python 3.10 syntax."""
