import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl


def offsets_kernel(lengths_ref, offsets_ref):
    offsets_ref[...] = jnp.cumsum(lengths_ref[...], axis=1)


lengths = jax.ShapeDtypeStruct((8, 128), jnp.float32)
offsets = pl.pallas_call(offsets_kernel, out_shape=lengths)
lowered = (
    jax.jit(offsets)
    .trace(lengths)
    .lower(lowering_platforms=("tpu",))
)
print("lowered", "tpu_custom_call" in lowered.as_text())
