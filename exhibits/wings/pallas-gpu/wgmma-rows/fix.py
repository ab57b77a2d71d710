import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import mosaic_gpu as plgpu

M, K, N = 64, 64, 128
half = jnp.float16
tiles = (
    plgpu.TilingTransform((8, 64)),
    plgpu.SwizzleTransform(128),
)


def project_kernel(x_ref, w_ref, out_ref, x_smem, w_smem, loaded):
    plgpu.copy_gmem_to_smem(x_ref, x_smem, loaded)
    plgpu.copy_gmem_to_smem(w_ref, w_smem, loaded)
    plgpu.barrier_wait(loaded)

    def multiply(acc_ref):
        plgpu.wgmma(acc_ref, x_smem, w_smem)
        return acc_ref[...]

    acc = plgpu.ACC((M, N), jnp.float32)
    out_ref[...] = pl.run_scoped(multiply, acc)


out = jax.ShapeDtypeStruct((M, N), jnp.float32)
scratch = [
    plgpu.SMEM((M, K), half, transforms=tiles),
    plgpu.SMEM((K, N), half, transforms=tiles),
    plgpu.Barrier(num_arrivals=2),
]
names = ("out_type", "scratch_types")
if jax.__version_info__ < (0, 10):  # the older names
    names = ("out_shape", "scratch_shapes")
kernel = plgpu.kernel(
    project_kernel, **dict(zip(names, (out, scratch)))
)

x = jax.ShapeDtypeStruct((32, K), half)
w = jax.ShapeDtypeStruct((K, N), half)
pad = ((0, M - 32), (0, 0))
project = jax.jit(lambda x, w: kernel(jnp.pad(x, pad), w)[:32])
lowered = project.trace(x, w).lower(lowering_platforms=("cuda",))
print("lowered:", lowered.out_info.shape)
