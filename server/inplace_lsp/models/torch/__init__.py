"""torch: what the package itself offers besides ops and factories, which the op table knows."""

from torch.amp import GradScaler
from torch.func import vmap

from inplace_lsp.modelling import ignores

DESCRIBES = "torch 2.13"


@ignores(
    "fullgraph",
    "dynamic",
    "backend",
    "mode",
    "options",
    "name",
    "disable",
    "recompile_limit",
    "isolate_recompiles",
    "shapes_spec",
    because="compiled code does to tensors what the function says",
)
def compile(
    model=None,
    *,
    fullgraph=False,
    dynamic=None,
    backend=None,
    mode=None,
    options=None,
    name=None,
    disable=False,
    recompile_limit=None,
    isolate_recompiles=False,
    shapes_spec=None,
):
    """Leave the function or module as it is."""
    return model if model is not None else lambda function: function


def numel(input):
    """Count the elements."""
    return input.numel()


@ignores("device_type", because="devices of tensors are not distinguished")
def is_autocast_enabled(device_type=None):
    """Tell whether matrix products work on casts: taken for the usual case."""
    return False
