import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()), ("model",))
columns = NamedSharding(mesh, P(None, "model"))

state = {
    "kernel": jax.device_put(jnp.ones((8, 16)), columns),
    "step": jax.device_put(0, NamedSharding(mesh, P())),
}


def specs_for_checkpoint(state):
    return {
        name: list(value.sharding.spec)
        for name, value in state.items()
    }


print(specs_for_checkpoint(state))
