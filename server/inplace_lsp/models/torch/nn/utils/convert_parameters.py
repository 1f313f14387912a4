"""torch.nn.utils.convert_parameters: where torch.nn.utils has them from."""

from torch.nn.utils import parameters_to_vector, vector_to_parameters

DESCRIBES = "torch 2.13"
