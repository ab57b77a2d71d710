import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()), ("data",))
by_rows = NamedSharding(mesh, P("data"))

local_batch = np.ones((4, 16), np.float32)
batch = jax.make_array_from_process_local_data(
    by_rows, local_batch
)
losses = jax.jit(lambda x: jnp.mean(x, axis=1))(batch)

losses = multihost_utils.process_allgather(losses, tiled=True)
print(f"{losses.shape[0]} losses, worst {losses.max()}")
