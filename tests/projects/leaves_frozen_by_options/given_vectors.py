"""The vectors of words are copied into an embedding that is only frozen if the option says so."""

import torch

from networks import Tagger
from options import parse_options


def main():
    options = parse_options()
    model = Tagger(10, options.width, options.freeze)
    model.emb.weight.copy_(torch.zeros(10, options.width))  # error: IP201


main()
