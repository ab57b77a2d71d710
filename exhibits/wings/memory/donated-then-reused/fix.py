from functools import partial

import jax
import jax.numpy as jnp


def loss_fn(params, batch):
    return jnp.mean((batch @ params - 1.0) ** 2)


@partial(jax.jit, donate_argnums=0)
def train_step(params, batch):
    grads = jax.grad(loss_fn)(params, batch)
    return params - 0.1 * grads


params = jnp.zeros((4,))
batch = jnp.eye(8, 4)

train_step(jnp.copy(params), batch)  # compile first

for step in range(3):
    params = train_step(params, batch)
print("params after 3 steps", params)
