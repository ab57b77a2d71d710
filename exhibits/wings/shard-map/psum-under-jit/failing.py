import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()), ("dp",))
replicated = NamedSharding(mesh, P())
by_row = NamedSharding(mesh, P("dp"))


def loss_fn(params, batch):
    return jnp.mean((batch @ params) ** 2)


def train_step(params, batch):
    grads = jax.grad(loss_fn)(params, batch)
    grads = jax.lax.pmean(grads, axis_name="dp")
    return params - 0.1 * grads


params = jax.device_put(jnp.ones(4), replicated)
batch = jax.device_put(jnp.ones((16, 4)), by_row)

train_step = jax.jit(train_step, out_shardings=replicated)
print("params", train_step(params, batch))
