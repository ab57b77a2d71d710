import os

import jax

# what the profile of the login node exports
os.environ["http_proxy"] = "http://proxy.example:3128"
os.environ["no_proxy"] = "localhost,127.0.0.1"

jax.distributed.initialize()

me, many = jax.process_index(), jax.process_count()
print(f"process {me} of {many}, {jax.device_count()} devices")
