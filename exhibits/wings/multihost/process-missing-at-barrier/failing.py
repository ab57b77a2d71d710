import os
import sys

import jax

rank = int(os.environ["OMPI_COMM_WORLD_RANK"])
world_size = 3

print(f"waiting for {world_size} processes", file=sys.stderr)
jax.distributed.initialize(
    os.environ["JAX_COORDINATOR_ADDRESS"],
    num_processes=world_size,
    process_id=rank,
    initialization_timeout=4,
)
print(f"process {rank} of {jax.process_count()}", flush=True)
