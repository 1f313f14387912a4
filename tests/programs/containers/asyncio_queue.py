"""Losses that wait in a queue of asyncio until their turn comes."""

import asyncio

import torch


async def main():
    net = torch.nn.Sequential(torch.nn.Linear(2, 4), torch.nn.Linear(4, 1))
    opt = torch.optim.SGD(net.parameters(), 0.1)
    q = asyncio.Queue()
    for _ in range(2):
        await q.put(net(torch.randn(3, 2)).mean())
    for _ in range(2):
        l = await q.get()
        opt.zero_grad()
        l.backward()
        opt.step()  # error: IP102


try:
    asyncio.run(main())
except RuntimeError as error:
    print(error)
