"""`ravel` copies whatever is not contiguous; `reshape` views a column, whose elements lie equally far apart."""

import torch

lin = torch.nn.Linear(4, 4)

scaled = lin(torch.randn(2, 4)).exp()
scaled[:, 0].reshape(-1).mul_(2)  # error: IP101
scaled.sum().backward()

scaled = lin(torch.randn(2, 4)).exp()
scaled[:, 0].ravel().mul_(2)
scaled.sum().backward()

scaled = lin(torch.randn(2, 4)).exp()
scaled.ravel().mul_(2)  # error: IP101
scaled.sum().backward()
