import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

ring = [0, 1, 2, 3, 6, 7, 4, 5]  # make_mesh on a TPU v3-8
mesh = Mesh(np.array(jax.devices())[ring], ("data",))
sharding = NamedSharding(mesh, P("data"))

examples = np.arange(8)
labels = jax.device_put(np.arange(8), sharding)

shards = [
    jax.device_put(examples[i : i + 1], device)
    for i, device in enumerate(jax.devices())
]
batch = jax.make_array_from_single_device_arrays(
    examples.shape, sharding, shards
)
print("batch ", batch)
print("labels", labels)
