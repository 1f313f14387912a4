"""timm: networks made by their name."""

from inplace_lsp.modelling import compute, ignores, opaque
from inplace_lsp.opaque_modules import OpaqueModule, OpaqueNetwork
from torch import nn

DESCRIBES = "timm 1.0"

_HEADS = ("fc", "head", "classifier")


class _Network(OpaqueNetwork):
    """An image model: layers that give features, and a head."""

    def __init__(self, name):
        super().__init__()
        self.name = name
        self.users_head = None

    def __setattr__(self, name, value):
        super().__setattr__("users_head" if name in _HEADS else name, value)

    def __getattr__(self, name):
        if name in _HEADS:
            return self.part() if self.users_head is None else self.users_head
        raise AttributeError(name)

    def forward(self, x):
        """Run all layers, and the head that the user put in place of the network's own."""
        if self.users_head is None:
            return self.run((x,))
        return self.users_head(compute("a layer", (self.weights, x), saves=(self.weights, x)))

    def forward_features(self, x):
        """Run all layers but the head."""
        return self.run((x,))

    @ignores("pre_logits", because="what is pooled is a view of the features either way")
    def forward_head(self, x, pre_logits=False):
        """Pool the features and run the head, which keeps the token that a vision transformer pools."""
        if self.name.startswith(("vit_", "deit")):
            return self.run((x,))
        return compute("a head", (x, list(self.parameters())), saves=list(self.parameters()))

    def forward_intermediates(self, x, *args, **kwargs):
        """Return what layers inside give, too."""
        result = self.run((x, args, kwargs))
        return opaque(result)

    def get_classifier(self):
        """Return the head."""
        return self.head

    @ignores("global_pool", because="how features are pooled says nothing of who keeps the head's weights")
    def reset_classifier(self, num_classes, global_pool=None):
        """Put another head in place of the one there is."""
        self.head = nn.Linear(1, num_classes)


class _FeatureNetwork(OpaqueModule):
    """Returns what each stage gives; the next stage has kept all of them but the last."""

    def __init__(self, name, count):
        super().__init__()
        self.name = name
        self.count = count

    def forward(self, x):
        """Run the stages, each of which keeps what the one before gives."""
        features = []
        for _ in range(self.count):
            x = compute("a stage", (x, self.weights), saves=(x, self.weights), saves_result="res" in self.name)
            features.append(x)
        return features


@ignores(
    "pretrained",
    "pretrained_cfg",
    "pretrained_cfg_overlay",
    "checkpoint_path",
    "cache_dir",
    "scriptable",
    "exportable",
    "no_jit",
    because="weights are weights, wherever they come from",
)
def create_model(
    model_name,
    pretrained=False,
    pretrained_cfg=None,
    pretrained_cfg_overlay=None,
    checkpoint_path=None,
    cache_dir=None,
    scriptable=None,
    exportable=None,
    no_jit=None,
    **kwargs,
):
    """Make the network of a name."""
    if kwargs.get("features_only", False):
        return _FeatureNetwork(model_name, len(kwargs.get("out_indices", (0, 1, 2, 3))))
    return _Network(model_name)
