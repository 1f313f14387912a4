from volumes.encoder import Encoder


def build(channels=4, dimensions=3, normalization="batch"):
    return Encoder(channels, dimensions, normalization, depth=2, residual=True)
