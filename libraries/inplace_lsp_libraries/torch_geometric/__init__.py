"""torch_geometric: layers, data and helpers for graphs stand in modules of their own."""
