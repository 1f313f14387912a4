"""The same where the write is no hazard: under no_grad, through `.data`, and of what is always frozen."""

import torch

from networks import Encoder, Tagger
from options import parse_options

options = parse_options()
model = Tagger(10, options.width, options.freeze)
with torch.no_grad():
    model.emb.weight.copy_(torch.zeros(10, options.width))
model.emb.weight.data.add_(1)
encoder = Encoder()
encoder.layers.requires_grad_(False)
if options.freeze:
    encoder.freeze_layers()
encoder.layers[0].weight[0] = 0
fixed = Tagger(10, options.width, True)
fixed.emb.weight.copy_(torch.zeros(10, options.width))
