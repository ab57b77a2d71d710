import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import topologies
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

v6e = topologies.get_topology_desc(
    platform="tpu", topology_name="v6e:2x2"
)
mesh = Mesh(np.array(v6e.devices[:1]), ("data",))
on_chip = NamedSharding(mesh, P())


def head(q, k, v):
    scores = jax.nn.softmax(q @ k.T / jnp.sqrt(q.shape[-1]))
    return scores @ v


def loss_fn(q, k, v):
    one_head = jax.checkpoint(lambda qkv: head(*qkv))
    out = jax.lax.map(one_head, (q, k, v))
    return jnp.mean(out.astype(jnp.float32) ** 2)


heads = jax.ShapeDtypeStruct(
    (16, 32768, 128), jnp.bfloat16, sharding=on_chip
)
grads = jax.jit(jax.grad(loss_fn, argnums=(0, 1, 2)))
compiled = grads.lower(heads, heads, heads).compile()
memory = compiled.memory_analysis()
print(f"temporaries {memory.temp_size_in_bytes / 2**30:.2f}G")
