import jax
import jax.numpy as jnp


def predict(params, features):
    return features @ params


params = jnp.ones((16, 4))
features = jnp.ones((32, 16))

compiled = jax.jit(predict).lower(params, features).compile()
executable = compiled.runtime_executable()

last_features = jnp.ones((20, 16))
missing = len(features) - len(last_features)
padded = jnp.pad(last_features, ((0, missing), (0, 0)))
(logits,) = executable.execute([params, padded])
logits = logits[: len(last_features)]
print("logits", logits.shape, "sum", float(logits.sum()))
