import asyncio

import torch
from torch import nn


class Server:
    def __init__(self):
        self.net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)

    async def fit(self, batches):
        async for x in batches:
            a, b = self.net(x).mean(0)
            self.opt.zero_grad()
            a.backward(retain_graph=True)
            self.opt.step()  # error: IP102
            await asyncio.sleep(0)
            b.backward()


async def batches():
    for _ in range(2):
        yield torch.randn(5, 3)


asyncio.run(Server().fit(batches()))
