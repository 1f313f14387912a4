"""scaled_dot_product_attention keeps query, key and value."""

import torch
import torch.nn.functional as F

x = torch.rand(1, 2, 3, 4, requires_grad=True)
q, k, v = x * 1, x * 2, x * 3
out = F.scaled_dot_product_attention(q, k, v)
q.add_(1)  # error: IP101
out.sum().backward()

q, k, v = x * 1, x * 2, x * 3
out = F.scaled_dot_product_attention(q, k, v)
v.zero_()  # error: IP101
out.sum().backward()
