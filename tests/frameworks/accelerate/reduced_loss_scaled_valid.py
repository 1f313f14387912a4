"""reduce hands back a clone even on one process, so scaling the reduced losses in place leaves the graph alone."""

import torch
from accelerate import Accelerator
from accelerate.utils import set_seed
from torch import nn

set_seed(0)
accelerator = Accelerator()
encoder, decoder = nn.Linear(6, 3), nn.Linear(3, 6)
optimizer = torch.optim.SGD([*encoder.parameters(), *decoder.parameters()], lr=0.1)
encoder, decoder, optimizer = accelerator.prepare(encoder, decoder, optimizer)

for step in range(3):
    x = torch.rand(5, 6, device=accelerator.device)
    error = decoder(encoder(x).tanh()) - x
    norms = torch.linalg.vector_norm(error, dim=1)
    loss = norms.mean()
    logged = accelerator.reduce(norms, reduction="mean")
    logged.div_(6**0.5)
    accelerator.print(step, logged.max().item())
    accelerator.backward(loss)
    optimizer.step()
    optimizer.zero_grad()
