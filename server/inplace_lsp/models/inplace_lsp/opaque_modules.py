"""Modules of libraries of which no more is known than that they have weights and learn.

Not a library of its own: what models of libraries derive from. Nothing is said of the op that makes the result, so a
write to the result is never a finding.
"""

import torch
from inplace_lsp.modelling import compute, data, ignores, opaque
from torch import nn

DESCRIBES = "modules of any library"
_SIZES = "whatever its layers are, they keep their weights and what goes into them"


class OpaqueModule(nn.Module):
    """One parameter stands for all weights; what the user puts in as an attribute has parameters of its own."""

    @ignores("args", "kwargs", because=_SIZES)
    def __init__(self, *args, **kwargs):
        super().__init__()
        self.weights = nn.Parameter(torch.empty(()))

    def forward(self, *inputs, **named):
        """Run layers that keep their weights and their input."""
        return opaque(self.run(inputs, named))

    def run(self, inputs, named=()):
        """Return a tensor that depends on the inputs and all weights, which are kept."""
        kept = (self.weights, inputs, named)
        result = compute("a layer", kept, saves=kept)
        others = [parameter for parameter in self.parameters() if parameter is not self.weights]
        return compute("a layer", (result, others), saves=others) if others else result

    def part(self):
        """Return a module inside of this one, with the same weights."""
        part = OpaqueModule()
        part.weights = self.weights
        return part

    def children(self):
        """List its layers, of which nothing is known."""
        for _ in data("its layers"):
            yield self.part()

    def named_children(self):
        """List its layers with their names."""
        for layer in self.children():
            yield data("a name"), layer

    @property
    def _modules(self):
        return dict(self.named_children())

    @ignores("index", because="each layer inside is like the others")
    def __getitem__(self, index):
        return self.part()

    def __setitem__(self, index, module):
        setattr(self, str(index), module)


class OpaqueNetwork(OpaqueModule):
    """A network whose result is one tensor."""

    def forward(self, *inputs, **named):
        """Run layers that keep their weights and their input."""
        return self.run(inputs, named)
