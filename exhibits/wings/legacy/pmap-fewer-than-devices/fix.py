import jax
import jax.numpy as jnp

prompt = jnp.arange(77)
prompts = jnp.tile(prompt, (jax.local_device_count(), 1))
keys = jax.random.split(
    jax.random.PRNGKey(0), jax.local_device_count()
)


@jax.pmap
def sample(prompt, key):
    return prompt + jax.random.normal(key, prompt.shape)


images = sample(prompts, keys)
print("images", images.shape)
