import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import topologies
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

v6e = topologies.get_topology_desc(
    platform="tpu", topology_name="v6e:2x2"
)
mesh = Mesh(np.array(v6e.devices[:1]), ("data",))
on_chip = NamedSharding(mesh, P("data"))

BIG = 40_000


def step():
    huge = jnp.ones((BIG, BIG), dtype=jnp.float32)
    return huge + 1.0


lowered = jax.jit(step, out_shardings=on_chip).lower()
compiled = lowered.compile()
memory = compiled.memory_analysis()
print(f"output {memory.output_size_in_bytes / 2**30:.2f}G")
print(f"temporaries {memory.temp_size_in_bytes / 2**30:.2f}G")
