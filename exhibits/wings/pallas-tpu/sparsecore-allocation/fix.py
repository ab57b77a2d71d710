import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl
from jax.experimental import topologies
from jax.experimental.pallas import tpu as pltpu
from jax.experimental.pallas import tpu_sc as plsc
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

v6e = topologies.get_topology_desc(
    platform="tpu", topology_name="v6e:2x2"
)
mesh = Mesh(np.array(v6e.devices[:1]), ("data",))
jax.set_mesh(mesh)
subcores = plsc.VectorSubcoreMesh(
    core_axis_name="core",
    subcore_axis_name="subcore",
    num_cores=2,
)

PART = 131_072  # words of the table for each of 32 subcores
CHUNK = 16_384


def copy_kernel(table_ref, out_ref):
    core = jax.lax.axis_index("core")
    start = (core * 16 + jax.lax.axis_index("subcore")) * PART

    def copy_part(buffer_ref):
        @pl.loop(0, PART // CHUNK)
        def _(i):
            here = pl.ds(start + i * CHUNK, CHUNK)
            pltpu.sync_copy(table_ref.at[here], buffer_ref)
            pltpu.sync_copy(buffer_ref, out_ref.at[here])

    pl.run_scoped(copy_part, pltpu.VMEM((CHUNK,), jnp.float32))


table = jax.ShapeDtypeStruct(
    (32 * PART,), jnp.float32, sharding=NamedSharding(mesh, P())
)
out = jax.ShapeDtypeStruct(table.shape, table.dtype)
copy = pl.kernel(copy_kernel, out, mesh=subcores)
compiled = jax.jit(copy).lower(table).compile()
print("compiled with a buffer of", CHUNK, "words")
