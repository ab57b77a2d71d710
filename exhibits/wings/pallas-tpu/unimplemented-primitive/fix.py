import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl


def offsets_kernel(lengths_ref, offsets_ref):
    square = (128, 128)
    row = jax.lax.broadcasted_iota(jnp.int32, square, 0)
    column = jax.lax.broadcasted_iota(jnp.int32, square, 1)
    up_to_here = (row <= column).astype(jnp.float32)
    offsets_ref[...] = jnp.dot(
        lengths_ref[...],
        up_to_here,
        precision=jax.lax.Precision.HIGHEST,
    )


lengths = jax.ShapeDtypeStruct((8, 128), jnp.float32)
offsets = pl.pallas_call(offsets_kernel, out_shape=lengths)
lowered = (
    jax.jit(offsets)
    .trace(lengths)
    .lower(lowering_platforms=("tpu",))
)
print("lowered", "tpu_custom_call" in lowered.as_text())
