"""mmcv.cnn of mmcv 1.x: layers that configurations name, and a convolution with its norm and its activation."""

from inplace_lsp.modelling import ignores
from torch import nn

DESCRIBES = "mmcv 1.3 to 1.7"

_CONVOLUTIONS = {"Conv1d": nn.Conv1d, "Conv3d": nn.Conv3d}
_NEVER_IN_PLACE = ("Tanh", "PReLU", "Sigmoid", "HSigmoid", "Swish", "GELU")
_OTHER_NAMES = {"HSigmoid": "Hardsigmoid", "HSwish": "Hardswish", "Swish": "SiLU"}
_NORMS = {
    "BN1d": nn.BatchNorm1d,
    "BN3d": nn.BatchNorm3d,
    "SyncBN": nn.SyncBatchNorm,
    "IN": nn.InstanceNorm2d,
    "IN1d": nn.InstanceNorm1d,
    "IN2d": nn.InstanceNorm2d,
    "IN3d": nn.InstanceNorm3d,
}
_SHORT = {"GN": "gn", "LN": "ln", "IN": "in", "IN1d": "in", "IN2d": "in", "IN3d": "in"}


def build_activation_layer(cfg):
    """Make the layer that a configuration names, with the options in it."""
    kind = cfg["type"]
    options = {name: cfg[name] for name in cfg if name != "type"}
    return getattr(nn, _OTHER_NAMES.get(kind, kind))(**options)


def build_conv_layer(cfg, *args, **kwargs):
    """Make the convolution that a configuration names; a plain one if there is none."""
    convolution = nn.Conv2d if cfg is None else _CONVOLUTIONS.get(cfg["type"], nn.Conv2d)
    return convolution(*args, **kwargs)


def build_norm_layer(cfg, num_features, postfix=""):
    """Make the norm that a configuration names, and the name for it."""
    kind = cfg["type"]
    if kind == "GN":
        layer = nn.GroupNorm(cfg["num_groups"], num_features)
    elif kind == "LN":
        layer = nn.LayerNorm(num_features)
    else:
        layer = _NORMS.get(kind, nn.BatchNorm2d)(num_features)
    if not cfg.get("requires_grad", True):
        for parameter in layer.parameters():
            parameter.requires_grad = False
    return _SHORT.get(kind, "bn") + str(postfix), layer


def _build_activation(act_cfg, inplace):
    """Make the layer that a configuration names."""
    kind = act_cfg["type"]
    if kind in _NEVER_IN_PLACE:
        return getattr(nn, _OTHER_NAMES.get(kind, kind))()
    return getattr(nn, kind)(inplace=act_cfg.get("inplace", inplace))


class ConvModule(nn.Module):
    """A convolution, a norm if one is configured, and an activation."""

    @ignores("with_spectral_norm", because="the weight is computed from a parameter then, which changes no alias")
    @ignores("padding_mode", because="the convolution keeps its input with any padding")
    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        padding=0,
        dilation=1,
        groups=1,
        bias="auto",
        conv_cfg=None,
        norm_cfg=None,
        act_cfg={"type": "ReLU"},
        inplace=True,
        with_spectral_norm=False,
        padding_mode="zeros",
        order=("conv", "norm", "act"),
    ):
        super().__init__()
        self.order = order
        self.with_norm = norm_cfg is not None
        self.with_activation = act_cfg is not None
        self.with_bias = not self.with_norm if bias == "auto" else bias
        convolution = nn.Conv2d if conv_cfg is None else _CONVOLUTIONS.get(conv_cfg["type"], nn.Conv2d)
        self.conv = convolution(
            in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias=self.with_bias
        )
        if self.with_norm:
            self.norm = nn.SyncBatchNorm(out_channels)
        if self.with_activation:
            self.activate = _build_activation(act_cfg, inplace)

    def forward(self, x, activate=True, norm=True):
        """Run the parts in their order."""
        for layer in self.order:
            if layer == "conv":
                x = self.conv(x)
            elif layer == "norm" and norm and self.with_norm:
                x = self.norm(x)
            elif layer == "act" and activate and self.with_activation:
                x = self.activate(x)
        return x
