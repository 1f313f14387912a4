"""torch.nn.utils: gradients, and parameters as one vector."""

DESCRIBES = "torch 2.13"


def vector_to_parameters(vec, parameters):
    """Give each parameter a slice of the vector for its data."""
    start = 0
    for parameter in parameters:
        part = vec.narrow(0, start, parameter.numel())
        parameter.data = part.view_as(parameter).data
        start = start + parameter.numel()
