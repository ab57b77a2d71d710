from functools import partial

import jax
import jax.numpy as jnp


def td_loss(params, target_params, batch):
    goal = 1.0 + 0.9 * batch @ target_params
    return jnp.mean((batch @ params - goal) ** 2)


@partial(jax.jit, donate_argnums=0)
def train_step(params, target_params, batch):
    grads = jax.grad(td_loss)(params, target_params, batch)
    return params - 0.1 * grads


params = jnp.zeros((4,))
target_params = jnp.copy(params)
batch = jnp.eye(8, 4)

params = train_step(params, target_params, batch)
print("params", params, "target", target_params)
