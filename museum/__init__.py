"""The headless core of XLA Museum: no Qt, no qasync, no JAX in this process."""
