"""torchvision.ops.misc: blocks of layers. What is not here is an unknown function of its arguments."""

import torch
from inplace_lsp.modelling import ignores
from torch import nn

DESCRIBES = "torchvision 0.20 to 0.28"


def _in_place_option(inplace):
    return {} if inplace is None else {"inplace": inplace}


def _layers_of(layer, out, norm_layer, activation_layer, inplace):
    layers = [layer]
    if norm_layer is not None:
        layers.append(norm_layer(out))
    if activation_layer is not None:
        layers.append(activation_layer(**_in_place_option(inplace)))
    return layers


class ConvNormActivation(nn.Sequential):
    """A convolution, a normalisation and an activation, which is in place unless told otherwise."""

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size=3,
        stride=1,
        padding=None,
        groups=1,
        norm_layer=nn.BatchNorm2d,
        activation_layer=nn.ReLU,
        dilation=1,
        inplace=True,
        bias=None,
        conv_layer=nn.Conv2d,
    ):
        padding = (kernel_size - 1) // 2 * dilation if padding is None else padding
        bias = norm_layer is None if bias is None else bias
        convolution = conv_layer(
            in_channels, out_channels, kernel_size, stride, padding, dilation=dilation, groups=groups, bias=bias
        )
        super().__init__(*_layers_of(convolution, out_channels, norm_layer, activation_layer, inplace))
        self.out_channels = out_channels


class Conv2dNormActivation(ConvNormActivation):
    """The same in two dimensions."""

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size=3,
        stride=1,
        padding=None,
        groups=1,
        norm_layer=nn.BatchNorm2d,
        activation_layer=nn.ReLU,
        dilation=1,
        inplace=True,
        bias=None,
    ):
        layers = (norm_layer, activation_layer, dilation, inplace, bias, nn.Conv2d)
        super().__init__(in_channels, out_channels, kernel_size, stride, padding, groups, *layers)


class Conv3dNormActivation(ConvNormActivation):
    """The same in three dimensions."""

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size=3,
        stride=1,
        padding=None,
        groups=1,
        norm_layer=nn.BatchNorm3d,
        activation_layer=nn.ReLU,
        dilation=1,
        inplace=True,
        bias=None,
    ):
        layers = (norm_layer, activation_layer, dilation, inplace, bias, nn.Conv3d)
        super().__init__(in_channels, out_channels, kernel_size, stride, padding, groups, *layers)


class MLP(nn.Sequential):
    """Linear layers with normalisations, activations and dropouts; `inplace` is for both of the latter."""

    def __init__(
        self,
        in_channels,
        hidden_channels,
        norm_layer=None,
        activation_layer=nn.ReLU,
        inplace=None,
        bias=True,
        dropout=0.0,
    ):
        last = len(hidden_channels) - 1
        layers = []
        for at, size in enumerate(hidden_channels):
            norm, activation = (norm_layer, activation_layer) if at < last else (None, None)
            layers += _layers_of(nn.Linear(in_channels, size, bias=bias), size, norm, activation, inplace)
            layers.append(nn.Dropout(dropout, **_in_place_option(inplace)))
            in_channels = size
        super().__init__(*layers)


class SqueezeExcitation(nn.Module):
    """Scales channels by what two layers make of their means."""

    def __init__(self, input_channels, squeeze_channels, activation=nn.ReLU, scale_activation=nn.Sigmoid):
        super().__init__()
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.fc1 = nn.Conv2d(input_channels, squeeze_channels, 1)
        self.fc2 = nn.Conv2d(squeeze_channels, input_channels, 1)
        self.activation = activation()
        self.scale_activation = scale_activation()

    def forward(self, input):
        """Scale the channels."""
        scale = self.fc2(self.activation(self.fc1(self.avgpool(input))))
        return self.scale_activation(scale) * input


class Permute(nn.Module):
    """A view with the dimensions in another order."""

    def __init__(self, dims):
        super().__init__()
        self.dims = dims

    def forward(self, x):
        """Put the dimensions in another order."""
        return torch.permute(x, self.dims)


class FrozenBatchNorm2d(nn.Module):
    """A normalisation by buffers."""

    @ignores("eps", because="it is a number")
    def __init__(self, num_features, eps=1e-05):
        super().__init__()
        self.register_buffer("weight", torch.ones(num_features))
        self.register_buffer("bias", torch.zeros(num_features))
        self.register_buffer("running_mean", torch.zeros(num_features))
        self.register_buffer("running_var", torch.ones(num_features))

    def forward(self, x):
        """Normalise by the buffers."""
        scale = self.weight * self.running_var.rsqrt()
        return x * scale + (self.bias - self.running_mean * scale)
