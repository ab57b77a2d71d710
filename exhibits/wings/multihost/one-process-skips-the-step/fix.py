import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()), ("data",))
batch = jax.make_array_from_process_local_data(
    NamedSharding(mesh, P("data")), np.ones((4, 16), np.float32)
)
train_step = jax.jit(lambda batch: jnp.mean(batch))
eval_step = jax.jit(lambda batch: jnp.mean(batch**2))

me = jax.process_index()
train_step(batch).block_until_ready()
print(f"process {me} has trained", flush=True)
loss = float(eval_step(batch))
if me == 0:
    print("eval loss", loss, flush=True)
print(f"process {me} is done", flush=True)
