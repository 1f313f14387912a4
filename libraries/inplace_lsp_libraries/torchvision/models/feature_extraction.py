"""torchvision.models.feature_extraction: a network that returns what its layers give."""

from inplace_lsp.modelling import ignores, opaque
from inplace_lsp.opaque_modules import OpaqueModule

DESCRIBES = "torchvision 0.20 to 0.28"


class _Extractor(OpaqueModule):
    def __init__(self, model, names):
        super().__init__()
        self.model = model
        self.names = names

    def forward(self, *inputs):
        """Return what layers inside of the network give."""
        result = self.run(inputs)
        return {name: opaque(result) for name in self.names}


@ignores(
    "train_return_nodes",
    "eval_return_nodes",
    "tracer_kwargs",
    "suppress_diff_warning",
    "concrete_args",
    because="how the layers are found changes nothing that they keep",
)
def create_feature_extractor(
    model,
    return_nodes=None,
    train_return_nodes=None,
    eval_return_nodes=None,
    tracer_kwargs=None,
    suppress_diff_warning=False,
    concrete_args=None,
):
    """Make a network that returns what its layers give."""
    return _Extractor(model, return_nodes.values() if isinstance(return_nodes, dict) else return_nodes)
