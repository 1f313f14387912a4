"""mmengine.model: modules, and models whose `train_step` steps the optimizer."""

from inplace_lsp.modelling import ignores
from torch import nn
from torch import Tensor

DESCRIBES = "mmengine 0.10"

_HOW = "how weights are set before training does not matter"


class BaseModule(nn.Module):
    """A module with a recipe for its first weights."""

    @ignores("init_cfg", because=_HOW)
    def __init__(self, init_cfg=None):
        super().__init__()

    def init_weights(self):
        """Set the weights before training."""


class Sequential(nn.Sequential):
    """One module after the other."""

    @ignores("init_cfg", because=_HOW)
    def __init__(self, *args, init_cfg=None):
        super().__init__(*args)


class ModuleList(nn.ModuleList):
    """Modules by number."""

    @ignores("init_cfg", because=_HOW)
    def __init__(self, modules=None, init_cfg=None):
        super().__init__(modules or [])


class ModuleDict(nn.ModuleDict):
    """Modules by name."""

    @ignores("init_cfg", because=_HOW)
    def __init__(self, modules=None, init_cfg=None):
        super().__init__(modules or {})


class BaseDataPreprocessor(nn.Module):
    """Moves data to the device of the model."""

    @ignores("non_blocking", because="tensors are judged alike on all devices")
    def __init__(self, non_blocking=False):
        super().__init__()

    @ignores("training", because="data is moved either way")
    def forward(self, data, training=False):
        """Move the data."""
        return data


class ImgDataPreprocessor(BaseDataPreprocessor):
    """Moves images to the device of the model and normalises them."""

    @ignores(
        "mean",
        "std",
        "pad_size_divisor",
        "pad_value",
        "bgr_to_rgb",
        "rgb_to_bgr",
        "non_blocking",
        because="how images are normalised says nothing of who keeps them",
    )
    def __init__(
        self,
        mean=None,
        std=None,
        pad_size_divisor=1,
        pad_value=0,
        bgr_to_rgb=False,
        rgb_to_bgr=False,
        non_blocking=False,
    ):
        super().__init__()


class BaseModel(BaseModule):
    """A model whose forward gives losses in the mode `loss`."""

    @ignores("init_cfg", because=_HOW)
    def __init__(self, data_preprocessor=None, init_cfg=None):
        super().__init__()
        given = isinstance(data_preprocessor, nn.Module)
        self.data_preprocessor = data_preprocessor if given else BaseDataPreprocessor()

    def train_step(self, data, optim_wrapper):
        """Compute the losses, walk them and step the optimizer."""
        with optim_wrapper.optim_context(self):
            losses = self._run_forward(self.data_preprocessor(data, True), mode="loss")
        total, log_vars = self.parse_losses(losses)
        optim_wrapper.update_params(total)
        return log_vars

    def val_step(self, data):
        """Run the model for an evaluation."""
        return self._run_forward(self.data_preprocessor(data, False), mode="predict")

    def test_step(self, data):
        """Run the model for an evaluation."""
        return self._run_forward(self.data_preprocessor(data, False), mode="predict")

    def _run_forward(self, data, mode):
        if isinstance(data, dict):
            return self(**data, mode=mode)
        return self(*data, mode=mode) if isinstance(data, (list, tuple)) else self(data, mode=mode)

    def parse_losses(self, losses):
        """Add up the losses."""
        log_vars = {}
        total = 0
        for name, value in losses.items():
            log_vars[name] = value.mean() if isinstance(value, Tensor) else sum(part.mean() for part in value)
            if "loss" in name:
                total = total + log_vars[name]
        return total, {"loss": total, **log_vars}
