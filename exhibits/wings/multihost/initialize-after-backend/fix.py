import jax
import jax.numpy as jnp

jax.distributed.initialize()

LEARNING_RATE = jnp.float32(3e-4)

me, many = jax.process_index(), jax.process_count()
print(
    f"process {me} of {many} sees {jax.device_count()} devices"
)
