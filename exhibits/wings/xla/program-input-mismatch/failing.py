import jax
import jax.numpy as jnp


def predict(params, features):
    return features @ params


params = jnp.ones((16, 4))
features = jnp.ones((32, 16))

compiled = jax.jit(predict).lower(params, features).compile()
executable = compiled.runtime_executable()

last_features = jnp.ones((20, 16))
(logits,) = executable.execute([params, last_features])
print("logits", logits.shape)
