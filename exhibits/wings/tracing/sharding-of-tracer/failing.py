import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

devices = np.array(jax.devices()).reshape(4, 2)
mesh = Mesh(devices, ("data", "model"))
layout = NamedSharding(mesh, P(None, "model"))
weights = jax.device_put(jnp.ones((8, 16)), layout)
batch = jax.device_put(
    jnp.ones((32, 8)), NamedSharding(mesh, P("data"))
)


@jax.jit
def gradient(weights, batch):
    grad = jax.grad(lambda w: jnp.mean((batch @ w) ** 2))(weights)
    return jax.lax.with_sharding_constraint(grad, weights.sharding)


print("gradient", gradient(weights, batch).sharding.spec)
