import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

devices = np.array(jax.devices())
stage_0 = Mesh(devices[:4], ("data",))
stage_1 = Mesh(devices[4:], ("data",))


def place(array, mesh, spec):
    return jax.device_put(array, NamedSharding(mesh, spec))


@jax.jit
def run_stage(kernel, inputs):
    return inputs @ kernel


encoder = place(jnp.ones((16, 32)), stage_0, P())
decoder = place(jnp.ones((32, 4)), stage_1, P())
tokens = place(jnp.ones((8, 16)), stage_0, P("data"))

hidden = run_stage(encoder, tokens)
print("hidden mean", hidden.mean())
hidden = place(hidden, stage_1, P("data"))
logits = run_stage(decoder, hidden)
print("logits on", sorted(d.id for d in logits.devices()))
