import re

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

devices = np.array(jax.devices()).reshape(2, 4)
mesh = Mesh(devices, ("data", "model"))


def place(shape, *spec):
    sharding = NamedSharding(mesh, P(*spec))
    return jax.device_put(jnp.ones(shape), sharding)


@jax.jit
def mlp(up, down, batch):
    return jax.nn.relu(batch @ up) @ down


up = place((64, 512), None, "model")
down = place((512, 64), "model", None)
batch = place((256, 64), "data")

program = mlp.lower(up, down, batch).compile().as_text()
for name in "all-gather", "all-reduce":
    print(name, re.findall(rf"= (\S+)\{{\S+ {name}\(", program))
