"""Networks by name, whose weights a function sets that looks at the name of each layer's class."""

from torch import nn
from torch.nn import init


class ResidualBlock(nn.Module):
    def __init__(self, width, dropout):
        super().__init__()
        layers = [nn.ReflectionPad2d(1), nn.Conv2d(width, width, 3), nn.BatchNorm2d(width), nn.ReLU(True)]
        if dropout:
            layers += [nn.Dropout(0.5)]
        layers += [nn.ReflectionPad2d(1), nn.Conv2d(width, width, 3), nn.BatchNorm2d(width)]
        self.block = nn.Sequential(*layers)

    def forward(self, x):
        return x + self.block(x)


class Generator(nn.Module):
    def __init__(self, width, blocks=6, dropout=False):
        super().__init__()
        first = [nn.ReflectionPad2d(3), nn.Conv2d(3, width, 7), nn.BatchNorm2d(width), nn.ReLU(True)]
        middle = [ResidualBlock(width, dropout) for _ in range(blocks)]
        self.model = nn.Sequential(*first, *middle, nn.ReflectionPad2d(3), nn.Conv2d(width, 3, 7), nn.Tanh())

    def forward(self, x):
        return self.model(x)


class Discriminator(nn.Module):
    def __init__(self, width, layers=5):
        super().__init__()
        sequence = [nn.Conv2d(3, width, 4, 2, 1), nn.LeakyReLU(0.2, True)]
        for _ in range(1, layers):
            sequence += [nn.Conv2d(width, width, 3, 1, 1), nn.BatchNorm2d(width), nn.LeakyReLU(0.2, True)]
        self.model = nn.Sequential(*sequence, nn.Conv2d(width, 1, 3, 1, 1))

    def forward(self, x):
        return self.model(x)


class Segmenter(nn.Module):
    def __init__(self, width, classes):
        super().__init__()
        self.down = nn.Sequential(
            nn.Conv2d(3, width, 3, 1, 1), nn.BatchNorm2d(width), nn.ReLU(True),
            nn.Conv2d(width, width, 3, 1, 1), nn.BatchNorm2d(width), nn.ReLU(True),
            nn.Conv2d(width, width, 3, 1, 1), nn.BatchNorm2d(width), nn.ReLU(True),
        )  # fmt: skip
        self.last = nn.Conv2d(width, classes, 1)

    def forward(self, x):
        return self.last(self.down(x))


def init_weights(net, init_type="normal", init_gain=0.02):
    def init_func(m):
        classname = m.__class__.__name__
        if hasattr(m, "weight") and (classname.find("Conv") != -1 or classname.find("Linear") != -1):
            if init_type == "normal":
                init.normal_(m.weight.data, 0.0, init_gain)
            elif init_type == "xavier":
                init.xavier_normal_(m.weight.data, gain=init_gain)
            elif init_type == "kaiming":
                init.kaiming_normal_(m.weight.data, a=0, mode="fan_in")
            elif init_type == "orthogonal":
                init.orthogonal_(m.weight.data, gain=init_gain)
            else:
                raise NotImplementedError(init_type)
            if hasattr(m, "bias") and m.bias is not None:
                init.constant_(m.bias.data, 0.0)
        elif classname.find("BatchNorm2d") != -1:
            init.normal_(m.weight.data, 1.0, init_gain)
            init.constant_(m.bias.data, 0.0)

    net.apply(init_func)


def init_net(net, init_type, init_gain, gpu_ids):
    if len(gpu_ids) > 0:
        net.to(gpu_ids[0])
        net = nn.DataParallel(net, gpu_ids)
    init_weights(net, init_type, init_gain)
    return net


def define_generator(opt):
    return init_net(Generator(opt.width, 9, opt.dropout), opt.init_type, opt.init_gain, opt.gpu_ids)


def define_discriminator(opt):
    return init_net(Discriminator(opt.width), opt.init_type, opt.init_gain, opt.gpu_ids)


def define_segmenter(opt):
    return init_net(Segmenter(opt.width, opt.classes), opt.init_type, opt.init_gain, opt.gpu_ids)
