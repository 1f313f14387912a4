"""A row of a layer is cleared; the layers are frozen by a method of another file, if the option says so."""

from networks import Encoder
from options import parse_options

options = parse_options()
encoder = Encoder()
if options.freeze:
    encoder.freeze_layers()
encoder.layers[0].weight[0] = 0  # error: IP202
