import os
import sys

import jax

COORDINATOR = "192.0.2.10:8476"

print("coordinator", COORDINATOR, file=sys.stderr)
jax.distributed.initialize(
    COORDINATOR,
    num_processes=int(os.environ["OMPI_COMM_WORLD_SIZE"]),
    process_id=int(os.environ["OMPI_COMM_WORLD_RANK"]),
    initialization_timeout=4,
)
me, many = jax.process_index(), jax.process_count()
print(f"process {me} of {many}", flush=True)
