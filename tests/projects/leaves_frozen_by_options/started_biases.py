"""The biases get a start after the whole network was frozen for a short training of its head."""

from torch import nn

from networks import Encoder
from options import parse_options


def start_biases(encoder):
    for layer in encoder.layers:
        nn.init.zeros_(layer.bias)
        layer.bias.add_(0.1)  # error: IP201


def main(options):
    encoder = Encoder()
    if options.freeze:
        encoder.requires_grad_(False)
        encoder.head.requires_grad_(True)
    start_biases(encoder)


main(parse_options())
