import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import topologies
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

v6e = topologies.get_topology_desc(
    platform="tpu", topology_name="v6e:2x2"
)
mesh = Mesh(np.array(v6e.devices[:1]), ("data",))
on_chip = NamedSharding(mesh, P())

POINTS = 10_000_000


def precisions(covariances):
    return jnp.linalg.inv(covariances)


covariances = jax.ShapeDtypeStruct(
    (POINTS, 3, 3), jnp.float32, sharding=on_chip
)
compiled = jax.jit(precisions).lower(covariances).compile()
memory = compiled.memory_analysis()
print(f"output {memory.output_size_in_bytes / 2**30:.2f}G")
print(f"temporaries {memory.temp_size_in_bytes / 2**30:.2f}G")
