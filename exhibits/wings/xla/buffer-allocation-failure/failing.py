import jax
import jax.numpy as jnp

tpu = jax.devices("tpu")[0]
hbm = tpu.memory_stats()["bytes_limit"]
ROWS = hbm // 5 // (4 * 1024)  # params of a fifth of the HBM


@jax.jit
def train_step(params):
    return params - 0.1 * params


params = jnp.ones((ROWS, 1024), device=tpu)
kept = []
for step in range(8):
    params = train_step(params)
    kept.append(params)
print("kept", len(kept), "versions")
