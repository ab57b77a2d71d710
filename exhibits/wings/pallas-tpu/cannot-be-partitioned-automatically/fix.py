import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

try:
    from jax import shard_map

    unchecked = {"check_vma": False}
except ImportError:  # JAX before 0.6
    from jax.experimental.shard_map import shard_map

    unchecked = {"check_rep": False}

mesh = Mesh(np.array(jax.devices()), ("data",))
by_rows = NamedSharding(mesh, P("data"))


def scale_kernel(x_ref, out_ref):
    out_ref[...] = x_ref[...] * 2.0


def scale(x):
    print("each kernel gets", x.shape)
    like_x = jax.ShapeDtypeStruct(x.shape, x.dtype)
    return pl.pallas_call(scale_kernel, out_shape=like_x)(x)


x = jax.ShapeDtypeStruct((64, 128), jnp.float32)
scale = shard_map(
    scale,
    mesh=mesh,
    in_specs=P("data"),
    out_specs=P("data"),
    **unchecked,
)
step = jax.jit(scale, in_shardings=by_rows)
lowered = step.trace(x).lower(lowering_platforms=("tpu",))
print("lowered", "tpu_custom_call" in lowered.as_text())
