"""peft.tuners: a frozen layer, and beside it two small ones whose product is added to what it gives."""

from copy import deepcopy

from torch import nn
from transformers._architectures import Layer

DESCRIBES = "peft 0.10 to 0.21"


class _Adapted(nn.Module):
    """A frozen layer with adapters."""

    def __init__(self, base_layer):
        super().__init__()
        self.base_layer = base_layer
        self.lora_A = nn.ModuleDict({})
        self.lora_B = nn.ModuleDict({})
        self.scaling = 0.5
        self.disable_adapters = False
        self.merged_adapters = []
        self.active_adapters = []

    @property
    def weight(self):
        """Return the frozen weight."""
        return self.base_layer.weight

    @property
    def bias(self):
        """Return the frozen bias."""
        return self.base_layer.bias

    @property
    def merged(self):
        """Tell whether adapters are in the frozen weight."""
        return bool(self.merged_adapters)

    def get_base_layer(self):
        """Return the frozen layer."""
        return self.base_layer

    def add(self, name):
        """Add an adapter."""
        self.lora_A[name] = nn.Linear(1, 1, bias=False)
        self.lora_B[name] = nn.Linear(1, 1, bias=False)

    def set_adapter(self, names):
        """Use and train these adapters only."""
        self.active_adapters = [name for name in names if name in self.lora_A]
        for name in self.lora_A:
            self.lora_A[name].requires_grad_(name in names)
            self.lora_B[name].requires_grad_(name in names)

    def forward(self, x, *args, **kwargs):
        """Run the frozen layer and add what the adapters give."""
        if self.disable_adapters and self.merged_adapters:
            self.unmerge()
        result = self.base_layer(x, *args, **kwargs)
        if not self.disable_adapters and not self.merged_adapters:
            for name in self.active_adapters:
                result = result + self.lora_B[name](self.lora_A[name](x)) * self.scaling
        return result

    def merge(self, safe_merge=False):
        """Add the adapters to the frozen weight."""
        for name in self.active_adapters:
            change = self.lora_B[name].weight @ self.lora_A[name].weight
            if safe_merge:
                self.base_layer.weight.data = self.base_layer.weight.data.clone() + change
            else:
                self.base_layer.weight.data.add_(change.detach())
            self.merged_adapters.append(name)

    def unmerge(self):
        """Subtract the adapters from the frozen weight."""
        for name in self.merged_adapters:
            change = self.lora_B[name].weight @ self.lora_A[name].weight
            self.base_layer.weight.data.sub_(change.detach())
        self.merged_adapters = []

    def release(self):
        """Return the frozen layer."""
        return self.base_layer


class _SavedCopy(nn.Module):
    """A layer that is set aside, and trained copies of it."""

    def __init__(self, layer, name):
        super().__init__()
        self.modules_to_save = nn.ModuleDict({name: deepcopy(layer).requires_grad_(True)})
        self.original_module = layer
        self.active = name
        self.disable_adapters = False

    def set_adapter(self, names):
        """Use and train the copy of this adapter."""
        for name in self.modules_to_save:
            self.modules_to_save[name].requires_grad_(name in names)
            if name in names:
                self.active = name

    def forward(self, *args, **kwargs):
        """Run the trained copy."""
        return self.modules_to_save[self.active](*args, **kwargs)

    def release(self):
        """Return the trained copy."""
        return self.modules_to_save[self.active]


def _find_targets(model, names):
    """List path and layer of all that get an adapter: those named so, else the linear layers."""
    named = [
        (path, module) for path, module in list(model.named_modules()) if isinstance(module, (nn.Linear, _Adapted))
    ]
    named = [(path, module) for path, module in named if not path.endswith(_INSIDE)]
    if isinstance(names, (list, tuple, set)):
        chosen = [(path, module) for path, module in named if path.endswith(tuple(names))]
        if chosen:
            return chosen
        return [(path, module) for path, module in named if path.endswith(_PARTS)]
    return named


_INSIDE = ("base_layer",)
_PARTS = ("query", "value")
"""What layers of the models from the shelf call the two that are adapted most."""
