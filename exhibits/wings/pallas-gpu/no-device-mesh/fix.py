import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental.pallas import mosaic_gpu as plgpu
from jax.sharding import Mesh, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()), ("data",))


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

step = jax.jit(
    jax.shard_map(
        kernel,
        mesh=mesh,
        in_specs=P(),
        out_specs=P(),
        check_vma=False,
    )
)
bias = jax.ShapeDtypeStruct((128,), jnp.float32)
lowered = step.trace(bias).lower(lowering_platforms=("cuda",))
print("lowered:", "mosaic_gpu" in lowered.as_text())
