import jax

jax.distributed.initialize()

me, many = jax.process_index(), jax.process_count()
print(f"process {me} of {many}")
