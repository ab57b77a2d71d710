import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl


def count_kernel(mask_ref, count_ref):
    count_ref[0, 0] = jnp.sum(mask_ref[...])


mask = jax.ShapeDtypeStruct((8, 128), jnp.float32)
count = pl.pallas_call(
    count_kernel,
    out_shape=jax.ShapeDtypeStruct((1, 1), jnp.float32),
)
lowered = (
    jax.jit(count)
    .trace(mask)
    .lower(lowering_platforms=("tpu",))
)
print("lowered", "tpu_custom_call" in lowered.as_text())
