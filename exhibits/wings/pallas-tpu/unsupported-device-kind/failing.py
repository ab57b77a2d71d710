import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl

N, BLOCK = 65_536, 1_024


def scale_kernel(x_ref, out_ref):
    out_ref[...] = x_ref[...] * 2.0


block = pl.BlockSpec((BLOCK,), lambda i: (i,))
x = jax.ShapeDtypeStruct((N,), jnp.float32)
scale = pl.pallas_call(
    scale_kernel,
    out_shape=x,
    grid=(N // BLOCK,),
    in_specs=[block],
    out_specs=block,
)
lowered = (
    jax.jit(scale).trace(x).lower(lowering_platforms=("tpu",))
)
print("lowered", "tpu_custom_call" in lowered.as_text())
