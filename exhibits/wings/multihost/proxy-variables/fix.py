import os

import jax

# what the profile of the login node exports
os.environ["http_proxy"] = "http://proxy.example:3128"
os.environ["no_proxy"] = "localhost,127.0.0.1"

names = [key for key in os.environ if "_proxy" in key.lower()]
proxies = {key: os.environ.pop(key) for key in names}
jax.distributed.initialize()
os.environ.update(proxies)  # for downloads

me, many = jax.process_index(), jax.process_count()
print(f"process {me} of {many}, {jax.device_count()} devices")
