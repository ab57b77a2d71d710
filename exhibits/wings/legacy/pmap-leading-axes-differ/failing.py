import jax
import jax.numpy as jnp

params = {"kernel": jnp.ones((4, 10)), "bias": jnp.zeros(10)}
batch = jnp.ones((8, 16, 4))  # devices, rows, features


@jax.pmap
def predict(params, images):
    return images @ params["kernel"] + params["bias"]


logits = predict(params, batch)
print("logits", logits.shape)
