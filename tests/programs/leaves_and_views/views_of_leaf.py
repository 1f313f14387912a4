"""Views of views of a leaf."""

import torch

w = torch.rand(4, 4, requires_grad=True)
row = w.t()[0]
try:
    row += 1  # error: IP202
except RuntimeError as error:
    print(error)
try:
    w.view(-1).zero_()  # error: IP202
except RuntimeError as error:
    print(error)
try:
    w.diagonal().fill_(1)  # error: IP202
except RuntimeError as error:
    print(error)
w.unsqueeze(0).clone().zero_()
