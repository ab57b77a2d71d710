import jax
import jax.numpy as jnp

grads = jnp.arange(2 * 4 * 16.0).reshape(2, 4, 16)


def mean_over_replicas(grads):
    return jax.lax.pmean(grads, ("replica", "chip"))


per_chip = jax.pmap(mean_over_replicas, axis_name="chip")
per_replica = jax.pmap(per_chip, axis_name="replica")

mean = per_replica(grads)
print("mean", mean.shape, mean[0, 0, 0])
