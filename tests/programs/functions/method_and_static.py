"""Methods, class methods and static methods that write."""

import torch


class Tools:
    scale = 2.0

    def by_scale(self, t):
        t.mul_(self.scale)  # error: IP101

    @classmethod
    def shift(cls, t):
        t.add_(cls.scale)  # error: IP101

    @staticmethod
    def flip(t):
        t.neg_()  # error: IP101


x = torch.rand(3, requires_grad=True)
a, b, c = x.exp(), x.sigmoid(), x.tanh()
Tools().by_scale(a)
Tools.shift(b)
Tools.flip(c)
(a.sum() + b.sum() + c.sum()).backward()
