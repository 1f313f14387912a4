"""Layers, rearrangements and base classes of libraries that are not installed, as far as their names and arguments tell
what they do."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import torch
from torch.nn import functional

from inplace_lsp.worker.attribute_dicts import make_attribute_dict
from inplace_lsp.worker.invented import InventedLayer
from inplace_lsp.worker.stand_in_errors import StandInError
from inplace_lsp.worker.yaml_text import read_yaml

_INPUTS = ("in_channels", "in_features", "in_dim", "input_size", "in_planes")
_OUTPUTS = ("out_channels", "out_features", "out_dim", "hidden_size", "out_planes")
_CONVOLUTIONS: Mapping[int, Callable[..., torch.Tensor]] = {
    3: functional.conv1d,
    4: functional.conv2d,
    5: functional.conv3d,
}


_LAYERS = ("Conv", "Linear", "Dense", "Layer", "Norm", "Block", "MLP")
"""Parts of the names of classes whose first two arguments are channels or features."""


class WeightedLayer(torch.nn.Module):  # type: ignore[misc]
    """A layer between so many channels or features: with a weight, as all of them have, over the last dimension or the
    second. It keeps its input for its backward. `used` is called with each tensor it is given."""

    def __init__(
        self,
        inputs: int,
        outputs: int,
        stride: int,
        used: Callable[[torch.Tensor], None],
        *,
        convolves: bool,
        activates: bool,
    ) -> None:
        super().__init__()
        self._convolves = convolves
        self._activates = activates
        self.weight = torch.nn.Parameter(torch.randn(outputs, inputs) / max(1, inputs) ** 0.5)
        self._stride = stride
        self._used = used

    def forward(self, first: torch.Tensor, *_rest: object, **_named: object) -> torch.Tensor:
        """Return a product with the weight, or its positive part."""
        self._used(first)
        result = self._multiply(first)
        return functional.relu(result) if self._activates else result

    def _multiply(self, first: torch.Tensor) -> torch.Tensor:
        convolve = _CONVOLUTIONS.get(first.dim())
        if convolve is not None and (self._convolves or first.shape[1] == self.weight.shape[1]):
            return convolve(
                first, self.weight.reshape(*self.weight.shape, *[1] * (first.dim() - 2)), stride=self._stride
            )
        return functional.linear(first, self.weight)


def make_layer(
    name: str, arguments: Sequence[object], named: Mapping[str, object], used: Callable[[torch.Tensor], None]
) -> WeightedLayer | None:
    """Return a layer for the call of a class that says between how many channels or features, by its name or by those
    of the arguments; None for other calls."""
    word = name.rpartition(".")[2]
    sizes = [
        next((named[known] for known in keys if known in named), arguments[at] if at < len(arguments) else None)
        for at, keys in enumerate((_INPUTS, _OUTPUTS))
    ]
    is_layer = any(part in word for part in _LAYERS) or not named.keys().isdisjoint((*_INPUTS, *_OUTPUTS))
    if not word[:1].isupper() or not is_layer or not all(type(size) is int and 0 < size < 1 << 14 for size in sizes):
        return None
    stride = named.get("stride", arguments[3] if len(arguments) > 3 and "onv" in word else 1)
    inputs, outputs = sizes
    assert isinstance(inputs, int)
    assert isinstance(outputs, int)
    step = stride if type(stride) is int else 1
    activation = named.get("act_cfg")
    activates = isinstance(activation, dict) and activation.get("type") == "ReLU"
    return WeightedLayer(inputs, outputs, step, used, convolves="conv" in word.lower(), activates=activates)


def rearrange(tensors: object, pattern: str, **lengths: int) -> object:
    """Do what einops does, by torch's own version of it."""
    arrange: Callable[..., object] = importlib.import_module("functorch.einops.rearrange").rearrange
    return arrange(tensors, pattern, **lengths)


class Rearrange(torch.nn.Module):  # type: ignore[misc]
    """`rearrange` as a layer."""

    def __init__(self, pattern: str, **lengths: int) -> None:
        super().__init__()
        self._pattern, self._lengths = pattern, lengths

    def forward(self, tensor: torch.Tensor) -> object:
        """Return the tensor with its dimensions rearranged."""
        return rearrange(tensor, self._pattern, **self._lengths)


def _einsum(*given: object) -> object:
    *tensors, pattern = given
    return torch.einsum(str(pattern), *tensors)


_NORMS: Mapping[str, tuple[str, Callable[..., torch.nn.Module]]] = {
    **dict.fromkeys(("BN", "BN2d", "SyncBN"), ("bn", torch.nn.BatchNorm2d)),
    "BN1d": ("bn", torch.nn.BatchNorm1d),
    "BN3d": ("bn", torch.nn.BatchNorm3d),
    "IN": ("in", torch.nn.InstanceNorm2d),
    "LN": ("ln", torch.nn.LayerNorm),
    "GN": ("gn", lambda channels, num_groups, **named: torch.nn.GroupNorm(num_groups, channels, **named)),
}


# These three have the parameters of mmcv, which calls name.


def build_norm_layer(cfg: Mapping[str, object], num_features: int, postfix: object = "") -> tuple[str, torch.nn.Module]:
    """Do what mmcv does: return the name of a norm, as an attribute, and the norm."""
    word, make = _NORMS.get(str(cfg["type"]), ("norm_layer", InventedLayer))
    return f"{word}{postfix}", make(num_features, **_options_in(cfg, "requires_grad"))


def build_conv_layer(cfg: Mapping[str, object] | None, *args: object, **kwargs: object) -> torch.nn.Module:
    """Do what mmcv does: return a convolution of the type in the settings."""
    kind = str(cfg["type"]) if cfg is not None else "Conv2d"
    return _layer_of_torch("Conv2d" if kind == "Conv" else kind)(*args, **kwargs, **_options_in(cfg or {}))


def build_activation_layer(cfg: Mapping[str, object]) -> torch.nn.Module:
    """Do what mmcv does: return an activation of torch by its name."""
    return _layer_of_torch(str(cfg["type"]))(**_options_in(cfg))


def _layer_of_torch(kind: str) -> Callable[..., torch.nn.Module]:
    """Return the layer of that name; where there is none, one that keeps nothing."""
    known = getattr(torch.nn, kind, None)
    return known if isinstance(known, type) and issubclass(known, torch.nn.Module) else InventedLayer


def _options_in(cfg: Mapping[str, object], *besides: str) -> dict[str, object]:
    return {key: value for key, value in cfg.items() if key not in ("type", *besides)}


def load_yaml(stream: Any, *_how: object, **_named: object) -> object:
    """Do what yaml does: return what a text, or a file with it, holds."""
    text = stream.read() if hasattr(stream, "read") else stream
    try:
        return read_yaml(text.decode() if isinstance(text, bytes) else text)
    except ValueError as error:
        raise StandInError(
            f"the module `yaml` is not installed, and what it would read holds more ({error})"
        ) from error


def load_settings(file: Any) -> object:
    """Do what omegaconf does: return the settings in a file, with their keys as attributes."""
    if hasattr(file, "read"):
        return _Settings(load_yaml(file))
    with open(file, encoding="utf-8") as opened:
        return _Settings(load_yaml(opened))


_Settings = make_attribute_dict("omegaconf.DictConfig")


class TrainedModule(torch.nn.Module):  # type: ignore[misc]
    """What Lightning's modules have beside torch's: nothing is logged, and nothing trains them."""

    current_epoch = global_step = 0
    logger = None
    trainer = SimpleNamespace(current_epoch=0, global_step=0, is_global_zero=True, world_size=1)

    def __init__(self, *_given: object, **_named: object) -> None:
        super().__init__()

    @property
    def device(self) -> torch.device:
        """Return where the parameters are; without any, where new tensors are made."""
        first = next(self.parameters(), None)
        return first.device if first is not None else torch.empty(0).device

    def log(self, *_given: object, **_named: object) -> None:
        """Log nothing."""

    log_dict = log

    def save_hyperparameters(self, *names: object, **_named: object) -> None:
        """Keep the arguments of the constructor that calls this."""
        known = {name: value for name, value in sys._getframe(1).f_locals.items() if name not in ("self", "__class__")}
        wanted = {name: value for name, value in known.items() if not names or name in names}
        given = names[0] if len(names) == 1 and not isinstance(names[0], str) else SimpleNamespace(**wanted)
        self.hparams = given

    def manual_backward(self, loss: torch.Tensor, **named: object) -> None:
        """Walk back."""
        loss.backward(**named)


_DICTIONARIES = """addict.Dict attrdict.AttrDict box.Box bunch.Bunch easydict.EasyDict ml_collections.ConfigDict
    ml_collections.config_dict.ConfigDict munch.Munch""".split()
KNOWN: Mapping[str, object] = {
    **{name: make_attribute_dict(name) for name in _DICTIONARIES},
    "einops.rearrange": rearrange,
    "einops.einsum": _einsum,
    "einops.layers.torch.Rearrange": Rearrange,
    **dict.fromkeys(("yaml.load", "yaml.safe_load", "yaml.full_load", "yaml.unsafe_load"), load_yaml),
    "omegaconf.OmegaConf.load": load_settings,
    "omegaconf.OmegaConf.create": _Settings,
    "mmcv.cnn.build_norm_layer": build_norm_layer,
    "mmcv.cnn.build_conv_layer": build_conv_layer,
    "mmcv.cnn.build_activation_layer": build_activation_layer,
}
"""Members of modules that may be missing, by their full names."""
BASES: Mapping[str, type] = {"LightningModule": TrainedModule}
"""Base classes of which more than the name is known."""
