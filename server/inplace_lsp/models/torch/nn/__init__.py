"""torch.nn: the modules that are made of others."""

from torch.nn.parallel import DataParallel
from torch.nn._transformer import Transformer, TransformerDecoder, TransformerEncoder

DESCRIBES = "torch 2.13"
