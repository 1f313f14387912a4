"""A queue of frames; the oldest is overwritten while a loss still needs it."""

from collections import deque

import torch

w = torch.rand(3, requires_grad=True)
frames = deque([torch.ones(3) for _ in range(2)], maxlen=2)
loss = sum((w * frame).sum() for frame in frames)
oldest = frames.popleft()
oldest.zero_()  # error: IP101
frames.append(oldest)
loss.backward()
