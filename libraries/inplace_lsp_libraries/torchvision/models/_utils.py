"""torchvision.models._utils: a module that hands out what the layers of another one give."""

from torch import nn

DESCRIBES = "torchvision 0.20 to 0.28"


class IntermediateLayerGetter(nn.Module):
    """Runs the layers of a module in order and returns those results that have a name."""

    def __init__(self, model, return_layers):
        super().__init__()
        self.return_layers = {str(name): new for name, new in return_layers.items()}
        self.layers = nn.ModuleDict()
        missing = len(self.return_layers)
        for name, module in model.named_children():
            if missing > 0:
                self.layers[name] = module
            if name in self.return_layers:
                missing -= 1

    def forward(self, x):
        """Run the layers one after the other."""
        results = {}
        for name, module in self.layers.items():
            x = module(x)
            if name in self.return_layers:
                results[self.return_layers[name]] = x
        return results
