"""torchvision.models: networks made by functions of their name, trainable like any other module."""

from inplace_lsp.modelling import ignores, opaque
from inplace_lsp.opaque_modules import OpaqueModule, OpaqueNetwork
from torch import nn
from torchvision import models
from torchvision.models.resnet import BasicBlock, ResNet

DESCRIBES = "torchvision 0.20 to 0.28"

_WHERE_FROM = "weights are weights, wherever they come from"


class _FeatureNetwork(nn.Module):
    """The networks that have `features` and a `classifier`."""

    def __init__(self):
        super().__init__()
        self.features = OpaqueNetwork()
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.classifier = OpaqueNetwork()

    def forward(self, x):
        """Classify images."""
        return self.classifier(self.avgpool(self.features(x)).flatten(1))


class _Transformer(OpaqueNetwork):
    """The transformers, with their classifier in `heads` or `head`."""

    def __init__(self):
        super().__init__()
        self.heads = nn.Identity()
        self.head = nn.Identity()

    def forward(self, x):
        """Classify images."""
        return self.head(self.heads(self.run((x,))))


class _DenseNetwork(OpaqueNetwork):
    """The networks that end in a linear layer `fc`."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(1024, 1000)

    def forward(self, x):
        """Classify images."""
        return self.fc(self.run((x,)))


@ignores("weights", "progress", "kwargs", because=_WHERE_FROM)
def resnet18(*, weights=None, progress=True, **kwargs):
    """Make a residual network."""
    return ResNet(BasicBlock, [1, 1, 1, 1])


resnet34 = resnet50 = resnet101 = resnet152 = resnet18
resnext50_32x4d = resnext101_32x8d = resnext101_64x4d = wide_resnet50_2 = wide_resnet101_2 = resnet18


@ignores("weights", "progress", "kwargs", because=_WHERE_FROM)
def alexnet(*, weights=None, progress=True, **kwargs):
    """Make a network with features and a classifier."""
    return _FeatureNetwork()


vgg11 = vgg13 = vgg16 = vgg19 = vgg11_bn = vgg13_bn = vgg16_bn = vgg19_bn = alexnet
densenet121 = densenet161 = densenet169 = densenet201 = squeezenet1_0 = squeezenet1_1 = mnasnet1_0 = alexnet
mobilenet_v2 = mobilenet_v3_large = mobilenet_v3_small = alexnet
efficientnet_b0 = efficientnet_b1 = efficientnet_b2 = efficientnet_b3 = efficientnet_b4 = efficientnet_b5 = alexnet
efficientnet_b6 = efficientnet_b7 = efficientnet_v2_s = efficientnet_v2_m = efficientnet_v2_l = alexnet
convnext_tiny = convnext_small = convnext_base = convnext_large = alexnet


@ignores("weights", "progress", "kwargs", because=_WHERE_FROM)
def vit_b_16(*, weights=None, progress=True, **kwargs):
    """Make a vision transformer."""
    return _Transformer()


vit_b_32 = vit_l_16 = vit_l_32 = vit_h_14 = swin_t = swin_s = swin_b = swin_v2_t = swin_v2_s = swin_v2_b = vit_b_16
maxvit_t = vit_b_16


@ignores("weights", "progress", "kwargs", because=_WHERE_FROM)
def shufflenet_v2_x1_0(*, weights=None, progress=True, **kwargs):
    """Make a network that ends in a linear layer."""
    return _DenseNetwork()


shufflenet_v2_x0_5 = shufflenet_v2_x1_5 = shufflenet_v2_x2_0 = shufflenet_v2_x1_0
regnet_y_400mf = regnet_y_800mf = regnet_y_1_6gf = regnet_y_3_2gf = regnet_y_8gf = regnet_y_16gf = shufflenet_v2_x1_0
regnet_x_400mf = regnet_x_800mf = regnet_x_1_6gf = regnet_x_3_2gf = regnet_x_8gf = regnet_x_16gf = shufflenet_v2_x1_0


class _Inception(_DenseNetwork):
    """Gives a named pair in training, and the logits alone in evaluation."""

    def forward(self, x):
        """Classify images."""
        result = self.fc(self.run((x,)))
        return opaque(result) if self.training else result


@ignores("weights", "progress", "kwargs", because=_WHERE_FROM)
def inception_v3(*, weights=None, progress=True, **kwargs):
    """Make a network with an auxiliary classifier."""
    return _Inception()


googlenet = inception_v3


def get_model_builder(name):
    """Return the function of a name."""
    return getattr(models, name)


def get_model(name, **config):
    """Make the network of a name; of one that is not known, every part keeps its weights and its input."""
    return get_model_builder(name)(**config) if isinstance(name, str) else OpaqueModule()
