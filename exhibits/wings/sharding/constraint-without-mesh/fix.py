import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

devices = np.array(jax.devices()).reshape(4, 2)
mesh = Mesh(devices, ("data", "model"))
# JAX before 0.7 enters the mesh itself
set_mesh = getattr(jax, "set_mesh", lambda mesh: mesh)


@jax.jit
def forward(kernel, batch):
    return jax.lax.with_sharding_constraint(
        batch @ kernel, P("data", "model")
    )


kernel = jnp.ones((8, 16))
with set_mesh(mesh):
    hidden = forward(kernel, jnp.ones((32, 8)))
    print("train", hidden.sharding.shard_shape(hidden.shape))

with set_mesh(mesh):
    hidden = forward(kernel, jnp.ones((32, 8)))
    print("eval", hidden.sharding.shard_shape(hidden.shape))
