"""torchvision.models.resnet: residual networks. One block stands for all of a stage, the one with a shortcut too."""

from inplace_lsp.modelling import ignores
from torch import nn

DESCRIBES = "torchvision 0.20 to 0.28"

_SHAPE = "widths and strides change nothing that is kept"


class BasicBlock(nn.Module):
    """Convolutions whose result is added to their input, in place as the ReLU behind it."""

    expansion = 1

    @ignores("groups", "base_width", "dilation", because=_SHAPE)
    def __init__(
        self, inplanes, planes, stride=1, downsample=None, groups=1, base_width=64, dilation=1, norm_layer=None
    ):
        super().__init__()
        norm = nn.BatchNorm2d if norm_layer is None else norm_layer
        self.conv1 = nn.Conv2d(inplanes, planes, 3, stride, 1, bias=False)
        self.bn1 = norm(planes)
        self.relu = nn.ReLU(inplace=True)
        self.conv2 = nn.Conv2d(planes, planes, 3, 1, 1, bias=False)
        self.bn2 = norm(planes)
        self.downsample = downsample
        self.stride = stride

    def forward(self, x):
        """Add what the convolutions give to the input."""
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        out += x if self.downsample is None else self.downsample(x)
        return self.relu(out)


class Bottleneck(BasicBlock):
    """The same with a third convolution."""

    expansion = 4

    @ignores("groups", "base_width", "dilation", because=_SHAPE)
    def __init__(
        self, inplanes, planes, stride=1, downsample=None, groups=1, base_width=64, dilation=1, norm_layer=None
    ):
        super().__init__(inplanes, planes, stride, downsample, norm_layer=norm_layer)
        self.conv3 = nn.Conv2d(planes, planes * 4, 1, bias=False)
        self.bn3 = nn.BatchNorm2d(planes * 4) if norm_layer is None else norm_layer(planes * 4)

    def forward(self, x):
        """Add what the convolutions give to the input."""
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.relu(self.bn2(self.conv2(out)))
        out = self.bn3(self.conv3(out))
        out += x if self.downsample is None else self.downsample(x)
        return self.relu(out)


class ResNet(nn.Module):
    """A stem, four stages of blocks, and a linear layer."""

    @ignores(
        "layers",
        "zero_init_residual",
        "groups",
        "width_per_group",
        "replace_stride_with_dilation",
        "norm_layer",
        because=_SHAPE,
    )
    def __init__(
        self,
        block,
        layers,
        num_classes=1000,
        zero_init_residual=False,
        groups=1,
        width_per_group=64,
        replace_stride_with_dilation=None,
        norm_layer=None,
    ):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 64, kernel_size=7, stride=2, padding=3, bias=False)
        self.bn1 = nn.BatchNorm2d(64)
        self.relu = nn.ReLU(inplace=True)
        self.maxpool = nn.MaxPool2d(kernel_size=3, stride=2, padding=1)
        self.layer1 = nn.Sequential(block(64, 64))
        self.layer2 = nn.Sequential(block(64, 128, 2))
        self.layer3 = nn.Sequential(block(128, 256, 2))
        self.layer4 = nn.Sequential(block(256, 512, 2))
        self.avgpool = nn.AdaptiveAvgPool2d((1, 1))
        self.fc = nn.Linear(512 * block.expansion, num_classes)

    def forward(self, x):
        """Classify images."""
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        return self.fc(self.avgpool(x).flatten(1))
