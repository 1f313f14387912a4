# unsafe: Write out of place: `maps[i - 1] = maps[i - 1] + nn.functional.interpolate( ma...` (whoever took `maps[i - 1]` before keeps the old values; line 5 made this tensor under another name)
import torch
from torch import nn

torch.manual_seed(0)
maps = [torch.rand(1, 2, 8 // 2**i, requires_grad=True).exp() for i in range(3)]
maps = [maps[0], maps[1], maps[2]]
for i in range(2, 0, -1):
    maps[i - 1] = maps[i - 1] + nn.functional.interpolate(
        maps[i], scale_factor=2
    )
sum(each.sum() for each in maps).backward()
