import jax
import jax.numpy as jnp


def update(params, grads, learning_rate):
    return params - learning_rate * grads


params = jnp.ones((8, 128))
grads = jnp.ones((8, 128))

params = jax.pmap(update, in_axes=(0, 0, None))(
    params, grads, 0.1
)
print("params", params.shape, params[0, 0])
