import os
import socket

import jax

with socket.socket() as probe:
    probe.bind(("127.0.0.1", 0))
    port = probe.getsockname()[1]

jax.distributed.initialize(
    os.environ.get("COORDINATOR", f"127.0.0.1:{port}"),
    num_processes=int(os.environ.get("WORLD_SIZE", "1")),
    process_id=int(os.environ.get("RANK", "0")),
)

me, many = jax.process_index(), jax.process_count()
print(f"process {me} of {many}")
