"""einops.layers: the functions of einops as layers, for each framework in a module of its own."""
