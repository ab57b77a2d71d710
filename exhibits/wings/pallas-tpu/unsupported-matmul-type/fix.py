import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl
from jax.experimental import topologies
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

v4 = topologies.get_topology_desc(
    platform="tpu", topology_name="v4:2x2x1"
)
mesh = Mesh(np.array(v4.devices[:1]), ("data",))
on_chip = NamedSharding(mesh, P())


def matmul_kernel(x_ref, w_ref, out_ref):
    product = jnp.dot(
        x_ref[...].astype(jnp.bfloat16),
        w_ref[...].astype(jnp.bfloat16),
        preferred_element_type=jnp.float32,
    )
    out_ref[...] = product.astype(jnp.int32)


weights = jax.ShapeDtypeStruct(
    (256, 256), jnp.int8, sharding=on_chip
)
matmul = pl.pallas_call(
    matmul_kernel,
    out_shape=jax.ShapeDtypeStruct((256, 256), jnp.int32),
)
compiled = jax.jit(matmul).lower(weights, weights).compile()
print("compiled", "tpu_custom_call" in compiled.as_text())
