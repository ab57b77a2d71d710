"""Controllers decide: they connect what views ask for to the core."""
