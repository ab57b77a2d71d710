import jax
import jax.numpy as jnp

SAMPLES, FEATURES = 10_000_000, 4


@jax.jit
def covariance_of(features):
    return jnp.cov(features, rowvar=False)


features = jnp.ones((SAMPLES, FEATURES))
covariance = covariance_of(features)
print("shape", covariance.shape)

covariance.block_until_ready()
print("done")
