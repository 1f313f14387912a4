"""Parameters as one vector, and a vector back into their gradients."""

import torch


def to_vector(parameters):
    return torch.cat([parameter.view(-1) for parameter in parameters])


def to_gradients(vector, parameters):
    at = 0
    for parameter in parameters:
        count = parameter.numel()
        parameter.grad.data = vector[at : at + count].view(parameter.size())
        at += count


def to_parameters(vector, parameters):
    at = 0
    for parameter in parameters:
        count = parameter.numel()
        parameter.data = vector[at : at + count].view(parameter.size())  # error: IP302
        at += count
