"""torch.cuda.amp: the names that torch.amp had before."""

import torch.amp

from inplace_lsp.modelling import ignores

DESCRIBES = "torch 2.13"


class GradScaler(torch.amp.GradScaler):
    """Scales losses by a factor it keeps, and steps optimizers unless a gradient is infinite."""

    @ignores(
        "init_scale",
        "growth_factor",
        "backoff_factor",
        "growth_interval",
        because="the factor's value says nothing of who saves it",
    )
    def __init__(self, init_scale=65536.0, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000, enabled=True):
        super().__init__(enabled=enabled)
