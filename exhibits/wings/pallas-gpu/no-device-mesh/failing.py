import jax
import jax.numpy as jnp
from jax.experimental.pallas import mosaic_gpu as plgpu


def broadcast_bias(bias_ref, out_ref):
    bias = bias_ref[...]
    plgpu.multimem_store(
        bias, out_ref, collective_axes=("data",)
    )


out = jax.ShapeDtypeStruct((128,), jnp.float32)
try:
    kernel = plgpu.kernel(broadcast_bias, out_type=out)
except TypeError:  # the older name of the argument
    kernel = plgpu.kernel(broadcast_bias, out_shape=out)

step = jax.jit(kernel)
bias = jax.ShapeDtypeStruct((128,), jnp.float32)
lowered = step.trace(bias).lower(lowering_platforms=("cuda",))
print("lowered:", "mosaic_gpu" in lowered.as_text())
