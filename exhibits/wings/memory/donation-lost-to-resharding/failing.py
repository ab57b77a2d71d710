import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()), ("data",))
sharded = NamedSharding(mesh, P("data"))
replicated = NamedSharding(mesh, P())


def loss_fn(params, batch):
    return jnp.mean((batch @ params) ** 2)


def train_step(params, batch):
    full = jax.lax.with_sharding_constraint(params, replicated)
    grads = jax.grad(loss_fn)(full, batch)
    return full - 0.1 * grads


params = jax.device_put(jnp.ones((1024, 256)), sharded)
batch = jax.device_put(jnp.ones((32, 1024)), sharded)

step = jax.jit(train_step, donate_argnums=0)
compiled = step.lower(params, batch).compile()
memory = compiled.memory_analysis()
print("params in", params.nbytes // 8 // 1024, "KiB a device")
print("params out", memory.output_size_in_bytes // 1024, "KiB")
print("reused", memory.alias_size_in_bytes // 1024, "KiB")

new_params = step(params, batch).block_until_ready()
print("donated", params.is_deleted())
