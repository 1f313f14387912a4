"""States in a list are kept by ops and written later."""

import torch

w = torch.rand(3, requires_grad=True)
states = [torch.ones(3), torch.ones(3)]
loss = sum((w * state).sum() for state in states)
states[0].zero_()  # error: IP101
loss.backward()

states = [torch.ones(3), torch.ones(3)]
loss = (w * states[0]).sum()
states[1].zero_()
loss.backward()
