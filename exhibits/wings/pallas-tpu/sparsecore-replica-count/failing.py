import json

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import topologies
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

v6e = topologies.get_topology_desc(
    platform="tpu", topology_name="v6e:2x2"
)
mesh = Mesh(np.array(v6e.devices[:1]), ("data",))
BATCH, IDS, ROWS, WIDTH = 16_384, 1_000_000, 65_536, 128
MOST_IDS = 1_000_000

limits = {
    "max_ids_per_partition": MOST_IDS,
    "max_unique_ids_per_partition": MOST_IDS,
    "sharding_strategy": 1,
    "pad_value": 2**31 - 1,
}
config = {
    "sparse_dense_matmul_config": limits,
    "device_type": "DEVICE_TYPE_SPARSECORE",
}


def lookup(row_ends, ids, samples, gains, table):
    activations = jnp.zeros((BATCH, WIDTH))
    return jax.ffi.ffi_call(
        "SparseDenseMatmulWithMinibatchingOp",
        jax.ShapeDtypeStruct((BATCH, WIDTH), jnp.float32),
        custom_call_api_version=1,
        legacy_backend_config=json.dumps(config),
    )(
        row_ends,
        ids,
        samples,
        gains,
        jnp.int32(1),
        table,
        activations,
    )


def on_chip(shape, dtype):
    sharding = NamedSharding(mesh, P())
    return jax.ShapeDtypeStruct(shape, dtype, sharding=sharding)


jax.jit(lookup).lower(
    on_chip((16,), jnp.int32),
    on_chip((IDS,), jnp.int32),
    on_chip((IDS,), jnp.int32),
    on_chip((IDS,), jnp.float32),
    on_chip((ROWS, WIDTH), jnp.float32),
).compile()
print("compiled for at most", MOST_IDS, "ids")
