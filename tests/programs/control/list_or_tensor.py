"""What `isinstance` says to be a list is no tensor there: its elements are no views."""

import torch
from torch import nn


class Batched(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def forward(self, image):
        if isinstance(image, list):
            for at, row in enumerate(image):
                if row.dim() == 1:
                    image[at] = row.unsqueeze(0)
            image = torch.cat(image)
        return self.linear(image)


class Rows(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def forward(self, image):
        hidden = self.linear(image)
        if not isinstance(hidden, list):
            for row in hidden:
                row += 1  # error: IP203
        return hidden


Batched()([torch.rand(3), torch.rand(1, 3)]).sum().backward()
Rows()(torch.rand(2, 3)).sum().backward()
