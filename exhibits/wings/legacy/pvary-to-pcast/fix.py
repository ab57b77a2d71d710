import jax
import jax.numpy as jnp
import numpy as np
from jax import shard_map
from jax.sharding import Mesh, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()), ("data",))


def running_sum(batch):
    total = jax.lax.pcast(
        jnp.zeros(batch.shape[1:]), "data", to="varying"
    )
    return jax.lax.scan(
        lambda total, row: (total + row, total + row), total, batch
    )[1]


running_sum = shard_map(
    running_sum, mesh=mesh, in_specs=P("data"), out_specs=P("data")
)
sums = running_sum(jnp.ones((32, 4)))
print("sums", sums[:, 0])
