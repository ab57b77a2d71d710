import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()), ("data",))
by_rows = NamedSharding(mesh, P("data"))

me = jax.process_index()
local_mask = np.ones(2048, np.float32)
local_mask[100 + me] = 0.0  # this process's bad example

mask = jax.device_put(local_mask, by_rows)

mine = [shard.data for shard in mask.addressable_shards]
masked = int(np.sum(np.concatenate(mine) == 0.0))
print(f"{mask.size} examples, process {me} masks {masked}")
