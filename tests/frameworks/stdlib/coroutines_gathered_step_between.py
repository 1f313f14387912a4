"""Losses of coroutines: those gathered share their weights, those awaited in turn are walked one by one."""

import asyncio

import torch
from torch import nn

net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)


async def compute(x):
    return net(x).pow(2).mean()


async def in_turn():
    for _ in range(2):
        task = asyncio.create_task(compute(torch.randn(2, 3)))
        loss = await task
        opt.zero_grad()
        loss.backward()
        opt.step()
        value = await asyncio.to_thread(torch.detach, loss)
        value += 1


async def main():
    await in_turn()
    a, b = await asyncio.gather(compute(torch.randn(2, 3)), compute(torch.randn(2, 3)))
    a.backward()
    opt.step()  # error: IP102
    b.backward()


asyncio.run(main())
