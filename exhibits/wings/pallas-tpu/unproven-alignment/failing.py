import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl
from jax.experimental import topologies
from jax.experimental.pallas import tpu as pltpu
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

v6e = topologies.get_topology_desc(
    platform="tpu", topology_name="v6e:2x2"
)
mesh = Mesh(np.array(v6e.devices[:1]), ("data",))
on_chip = NamedSharding(mesh, P())


def page_kernel(start_ref, cache_ref, page_ref):
    start = start_ref[0, 0]
    page_ref[...] = cache_ref[:, pl.ds(start, 128)]


read_page = pl.pallas_call(
    page_kernel,
    out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32),
    in_specs=[
        pl.BlockSpec(memory_space=pltpu.SMEM),
        pl.BlockSpec(memory_space=pltpu.VMEM),
    ],
)
start = jax.ShapeDtypeStruct(
    (1, 1), jnp.int32, sharding=on_chip
)
cache = jax.ShapeDtypeStruct(
    (8, 1024), jnp.float32, sharding=on_chip
)
compiled = jax.jit(read_page).lower(start, cache).compile()
print("compiled", "tpu_custom_call" in compiled.as_text())
