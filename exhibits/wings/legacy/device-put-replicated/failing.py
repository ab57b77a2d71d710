import jax
import jax.numpy as jnp

params = {"kernel": jnp.ones((4, 2)), "bias": jnp.zeros(2)}
batch = jnp.ones((8, 16, 4))

params = jax.device_put_replicated(params, jax.devices())


@jax.pmap
def predict(params, images):
    return images @ params["kernel"] + params["bias"]


print("kernel", params["kernel"].shape)
print("logits", predict(params, batch).shape)
