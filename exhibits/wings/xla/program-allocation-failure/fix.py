import jax
import jax.numpy as jnp

tpu = jax.devices("tpu")[0]
hbm = tpu.memory_stats()["bytes_limit"]
SAMPLES = int((hbm // 4 // 4) ** 0.5)  # scores: a fourth of it


@jax.jit
def median_similarity(features):
    scores = features @ features.T
    return jnp.sort(scores, axis=-1)[:, SAMPLES // 2].mean()


replay = jnp.ones((hbm * 7 // 10 // 4096, 1024), device=tpu)
replay = jax.device_get(replay)
features = jnp.ones((SAMPLES, 128), device=tpu)

median = median_similarity(features)
print("median similarity", median, "replay", replay.shape)
