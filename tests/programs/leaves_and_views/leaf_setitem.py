"""operator.setitem writes a view of the leaf."""

import operator

import torch

w = torch.rand(3, requires_grad=True)
operator.setitem(w, 0, 1.0)  # error: IP202
