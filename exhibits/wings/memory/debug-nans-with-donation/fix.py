import jax
import jax.numpy as jnp


def train_step(params, batch):
    margins = jnp.log(batch @ params)
    return params - 0.1 * margins.mean()


fast_step = jax.jit(train_step, donate_argnums=0)

params = jnp.ones((24,))
good, bad = jnp.eye(8, 24), -jnp.eye(8, 24)

params = fast_step(params, good)
try:
    with jax.debug_nans(True):  # the step whose loss was nan
        params = jax.jit(train_step)(params, bad)
except FloatingPointError as error:
    print("found", str(error)[:35])
