import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl
from jax.sharding import Mesh, PartitionSpec as P

try:
    from jax import shard_map
except ImportError:  # JAX before 0.6
    from jax.experimental.shard_map import shard_map

mesh = Mesh(np.array(jax.devices()), ("data",))


def scale_kernel(x_ref, out_ref):
    out_ref[...] = x_ref[...] * 2.0


def scale(x):
    like_x = jax.ShapeDtypeStruct(x.shape, x.dtype)
    return pl.pallas_call(scale_kernel, out_shape=like_x)(x)


step = jax.jit(
    shard_map(
        scale,
        mesh=mesh,
        in_specs=P("data"),
        out_specs=P("data"),
    )
)
x = jax.ShapeDtypeStruct((64, 128), jnp.float32)
lowered = step.trace(x).lower(lowering_platforms=("tpu",))
print("lowered", "tpu_custom_call" in lowered.as_text())
