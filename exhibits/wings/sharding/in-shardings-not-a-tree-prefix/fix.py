import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()), ("model",))
columns = NamedSharding(mesh, P(None, "model"))
replicated = NamedSharding(mesh, P())

state_shardings = (columns, columns, replicated)


def train_step(state):
    kernel, momentum, step = state
    return kernel - 0.1 * momentum, momentum, step + 1


train_step = jax.jit(
    train_step, in_shardings=(state_shardings,)
)

state = (jnp.ones((8, 16)), jnp.ones((8, 16)), 0)
kernel, momentum, step = train_step(state)
print("shard", kernel.sharding.shard_shape(kernel.shape))
