import jax
import jax.numpy as jnp
from jax.experimental.pallas import mosaic_gpu as plgpu

STAGES = 4
tiles = jax.ShapeDtypeStruct((8, 128, 128), jnp.float32)


def scale_tiles(x_ref, out_ref, stages_ref):
    for tile in range(8):
        stage_ref = stages_ref.at[tile % STAGES]
        stage_ref[...] = x_ref[tile]
        out_ref[tile] = stage_ref[...] * 2.0


scratch = [plgpu.SMEM((STAGES, 128, 128), jnp.float32)]
try:
    kernel = plgpu.kernel(
        scale_tiles, out_type=tiles, scratch_types=scratch
    )
except TypeError:  # the older names of the arguments
    kernel = plgpu.kernel(
        scale_tiles, out_shape=tiles, scratch_shapes=scratch
    )

step = jax.jit(kernel).trace(tiles)
lowered = step.lower(lowering_platforms=("cuda",))
print("lowered:", "mosaic_gpu" in lowered.as_text())
