import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl

ROWS, COLUMNS = 64, 128
BLOCK_ROWS = 8


def scale_kernel(x_ref, out_ref):
    out_ref[...] = x_ref[...] * 2.0


block = pl.BlockSpec((BLOCK_ROWS, COLUMNS), lambda i: (i, 0))
x = jax.ShapeDtypeStruct((ROWS, COLUMNS), jnp.float32)
scale = pl.pallas_call(
    scale_kernel,
    out_shape=x,
    grid=(ROWS // BLOCK_ROWS,),
    in_specs=[block],
    out_specs=block,
)
lowered = (
    jax.jit(scale).trace(x).lower(lowering_platforms=("tpu",))
)
print("lowered", "tpu_custom_call" in lowered.as_text())
print("blocks", ROWS // BLOCK_ROWS, "of", BLOCK_ROWS, "rows")
