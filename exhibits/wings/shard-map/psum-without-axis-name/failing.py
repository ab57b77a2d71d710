import jax
import jax.numpy as jnp


def train_step(params, batch):
    loss, grads = jax.value_and_grad(loss_fn)(params, batch)
    grads = jax.lax.pmean(grads, axis_name="batch")
    return params - 0.1 * grads, loss


def loss_fn(params, batch):
    return jnp.mean((batch @ params) ** 2)


replicas = jax.device_count()
params = jnp.ones((replicas, 4))
batch = jnp.arange(replicas * 8.0).reshape(replicas, 2, 4) / 64

p_train_step = jax.pmap(train_step)
params, loss = p_train_step(params, batch)
print("params", params.shape)
