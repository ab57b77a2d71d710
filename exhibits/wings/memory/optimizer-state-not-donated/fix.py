import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()), ("data",))
sharded = NamedSharding(mesh, P("data"))


def adam_step(params, moments, grads):
    mean = 0.9 * moments["mean"] + 0.1 * grads
    square = 0.99 * moments["square"] + 0.01 * grads**2
    params = params - 0.001 * mean / (jnp.sqrt(square) + 1e-8)
    return params, {"mean": mean, "square": square}


array = jax.ShapeDtypeStruct(
    (8192, 1024), jnp.float32, sharding=sharded
)
moments = {"mean": array, "square": array}

step = jax.jit(adam_step, donate_argnums=(0, 1))
compiled = step.lower(array, moments, array).compile()
memory = compiled.memory_analysis()

arguments = memory.argument_size_in_bytes
reused = memory.alias_size_in_bytes
new = memory.output_size_in_bytes - reused
for name, size in dict(arguments=arguments, new=new).items():
    print(name, size // 2**20, "MiB on each device")
