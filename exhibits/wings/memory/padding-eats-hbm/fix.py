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
    (a, b, c), (d, e, f), (g, h, i) = covariances
    adjugate = jnp.array(
        [
            [e * i - f * h, c * h - b * i, b * f - c * e],
            [f * g - d * i, a * i - c * g, c * d - a * f],
            [d * h - e * g, b * g - a * h, a * e - b * d],
        ]
    )
    determinant = (covariances[0] * adjugate[:, 0]).sum(axis=0)
    return adjugate / determinant


covariances = jax.ShapeDtypeStruct(
    (3, 3, POINTS), jnp.float32, sharding=on_chip
)
compiled = jax.jit(precisions).lower(covariances).compile()
memory = compiled.memory_analysis()
print(f"output {memory.output_size_in_bytes / 2**30:.2f}G")
print(f"temporaries {memory.temp_size_in_bytes / 2**30:.2f}G")
