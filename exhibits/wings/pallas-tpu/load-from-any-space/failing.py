import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl


def scale_kernel(table_ref, out_ref):
    out_ref[...] = table_ref[0:8, :] * 2.0


table = jax.ShapeDtypeStruct((4096, 128), jnp.float32)
scale = pl.pallas_call(
    scale_kernel,
    out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32),
    in_specs=[pl.BlockSpec(memory_space=pl.ANY)],
)
lowered = (
    jax.jit(scale)
    .trace(table)
    .lower(lowering_platforms=("tpu",))
)
print("lowered", "tpu_custom_call" in lowered.as_text())
