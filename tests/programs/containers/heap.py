"""A heap gives the smallest first: of two tensors that are written, one is kept."""

import heapq

import torch

x = torch.randn(3, requires_grad=True)
a, b = torch.sigmoid(x), x + 1
heap = []
heapq.heappush(heap, (2, 0, a))
heapq.heappush(heap, (1, 1, b))
_, _, first = heapq.heappop(heap)
first.mul_(2)
heap[0][2].mul_(2)  # error: IP101
(a + b).sum().backward()
