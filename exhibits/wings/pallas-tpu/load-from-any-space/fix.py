import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu


def scale_kernel(table_ref, out_ref, rows_ref, done):
    copy = pltpu.make_async_copy(
        table_ref.at[pl.ds(0, 8)], rows_ref, done
    )
    copy.start()
    copy.wait()
    out_ref[...] = rows_ref[...] * 2.0


table = jax.ShapeDtypeStruct((4096, 128), jnp.float32)
scale = pl.pallas_call(
    scale_kernel,
    out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32),
    in_specs=[pl.BlockSpec(memory_space=pl.ANY)],
    scratch_shapes=[
        pltpu.VMEM((8, 128), jnp.float32),
        pltpu.SemaphoreType.DMA,
    ],
)
lowered = (
    jax.jit(scale)
    .trace(table)
    .lower(lowering_platforms=("tpu",))
)
print("lowered", "tpu_custom_call" in lowered.as_text())
