from functools import partial

import jax
import jax.numpy as jnp


def loss_fn(params, batch):
    return jnp.mean((batch @ params - 1.0) ** 2)


@partial(jax.jit, donate_argnums=0)
def train_step(params, batch):
    grads = jax.grad(loss_fn)(params, batch)
    return params - 0.1 * grads


params = jnp.zeros((3,))
batch = jnp.eye(8, 3)

print("params were", params)
new_params = train_step(params, batch)
print("params are", new_params)
