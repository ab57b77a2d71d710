import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()), ("data",))
by_rows = NamedSharding(mesh, P("data"))


def scale_kernel(x_ref, out_ref):
    out_ref[...] = x_ref[...] * 2.0


def scale(x):
    like_x = jax.ShapeDtypeStruct(x.shape, x.dtype)
    return pl.pallas_call(scale_kernel, out_shape=like_x)(x)


x = jax.ShapeDtypeStruct((64, 128), jnp.float32)
step = jax.jit(scale, in_shardings=by_rows)
lowered = step.trace(x).lower(lowering_platforms=("tpu",))
print("lowered", "tpu_custom_call" in lowered.as_text())
