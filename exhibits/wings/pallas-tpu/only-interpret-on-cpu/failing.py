import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl


def scale_kernel(x_ref, out_ref):
    out_ref[...] = x_ref[...] * 2.0


def scale(x):
    like_x = jax.ShapeDtypeStruct(x.shape, x.dtype)
    return pl.pallas_call(scale_kernel, out_shape=like_x)(x)


activations = jnp.ones((8, 128))
print("scaled sum", scale(activations).sum())
