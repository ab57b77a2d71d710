import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl
from jax.experimental import topologies
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

v6e = topologies.get_topology_desc(
    platform="tpu", topology_name="v6e:2x2"
)
mesh = Mesh(np.array(v6e.devices[:1]), ("data",))
on_chip = NamedSharding(mesh, P())
BLOCK_ROWS = 32


def dequantize_kernel(x_ref, out_ref):
    out_ref[...] = x_ref[...].astype(jnp.float32) * 0.1


block = pl.BlockSpec((BLOCK_ROWS, 128), lambda i: (i, 0))
dequantize = pl.pallas_call(
    dequantize_kernel,
    out_shape=jax.ShapeDtypeStruct((256, 128), jnp.float32),
    grid=(256 // BLOCK_ROWS,),
    in_specs=[block],
    out_specs=block,
)
x = jax.ShapeDtypeStruct((256, 128), jnp.int8, sharding=on_chip)
compiled = jax.jit(dequantize).lower(x).compile()
print("compiled with blocks of", BLOCK_ROWS, "rows")
