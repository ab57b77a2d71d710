import jax
import jax.numpy as jnp
from jax.experimental.pallas import mosaic_gpu as plgpu

ROWS, COLUMNS = 64, 128
half = jnp.dtype(jnp.float16)
swizzle = min(COLUMNS * half.itemsize, 128)

tiles = (
    plgpu.TilingTransform((8, swizzle // half.itemsize)),
    plgpu.SwizzleTransform(swizzle),
)


def copy_kernel(x_ref, out_ref, tile_ref, loaded):
    plgpu.copy_gmem_to_smem(x_ref, tile_ref, loaded)
    plgpu.barrier_wait(loaded)
    plgpu.copy_smem_to_gmem(tile_ref, out_ref)
    plgpu.wait_smem_to_gmem(0)


x = jax.ShapeDtypeStruct((ROWS, COLUMNS), half)
scratch = [
    plgpu.SMEM((ROWS, COLUMNS), half, transforms=tiles),
    plgpu.Barrier(),
]
names = ("out_type", "scratch_types")
if jax.__version_info__ < (0, 10):  # the older names
    names = ("out_shape", "scratch_shapes")
kernel = plgpu.kernel(
    copy_kernel, **dict(zip(names, (x, scratch)))
)
lowered = (
    jax.jit(kernel).trace(x).lower(lowering_platforms=("cuda",))
)
print("lowered:", swizzle, lowered.out_info.shape)
