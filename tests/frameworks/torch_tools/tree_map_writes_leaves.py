"""`tree_map` calls a function with every tensor of nested containers: what it writes there, it writes to the originals."""

from typing import NamedTuple

import torch
from torch.utils._pytree import tree_flatten, tree_leaves, tree_map, tree_map_, tree_map_only, tree_unflatten

Pair = NamedTuple("Pair", [("first", torch.Tensor), ("second", torch.Tensor)])
w = torch.randn(3, requires_grad=True)

state = {"a": w.exp(), "b": [w.tanh(), w * 2]}
loss = state["a"].sum() + state["b"][0].sum() + state["b"][1].sum()
tree_map(lambda t: t.mul_(0.5), state)  # error: IP101
try:
    loss.backward()
except RuntimeError:
    pass

state = Pair(w.sigmoid(), w * 3)
loss = sum(t.sum() for t in state)
tree_map_(torch.Tensor.neg_, state)  # error: IP101
try:
    loss.backward()
except RuntimeError:
    pass

state = [w.exp(), 3]
loss = state[0].sum()
scaled = tree_map_only(torch.Tensor, lambda t: t * 2, state)
scaled[0].add_(1)
copies = tree_map(torch.clone, {"a": (w.exp(), w.tanh())})
leaves, places = tree_flatten(copies)
for leaf in leaves:
    leaf.mul_(0.5)
again = tree_unflatten(leaves, places)
(loss + scaled[0].sum() + again["a"][0].sum()).backward()

halves = {"a": w.exp(), "b": (w.tanh(),)}
loss = halves["a"].sum() + halves["b"][0].sum()
for leaf in tree_leaves(halves):
    leaf.zero_()  # error: IP101
try:
    loss.backward()
except RuntimeError:
    pass
