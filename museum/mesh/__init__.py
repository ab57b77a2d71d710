"""Mesh arithmetic and drawing as numbers, without JAX and without Qt."""
