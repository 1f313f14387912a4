"""The node memory of a temporal graph network carries its graph into the next batch, whose backward finds it freed."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch_geometric.data import TemporalData
from torch_geometric.loader import TemporalDataLoader


@dataclass
class Sizes:
    nodes: int = 6
    memory: int = 5
    message: int = 3


class NodeMemory(nn.Module):
    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        self.cell = nn.GRUCell(2 * sizes.memory + sizes.message, sizes.memory)
        self.sizes = sizes
        self.reset_state()

    def reset_state(self) -> None:
        self.state: list[Tensor] = [torch.zeros(self.sizes.memory) for _ in range(self.sizes.nodes)]

    def forward(self, ids: Tensor) -> Tensor:
        return torch.stack([self.state[i] for i in ids.tolist()])

    def update(self, src: Tensor, dst: Tensor, msg: Tensor) -> None:
        before = self(src)
        after = self.cell(torch.cat([before, self(dst), msg], dim=-1), before)
        for i, row in zip(src.tolist(), after):
            self.state[i] = row


class LinkPredictor(nn.Module):
    def __init__(self, channels: int) -> None:
        super().__init__()
        self.src, self.dst, self.final = (nn.Linear(channels, n) for n in (channels, channels, 1))

    def forward(self, src: Tensor, dst: Tensor) -> Tensor:
        return self.final((self.src(src) + self.dst(dst)).relu_()).squeeze(-1)


def train(loader, memory, predictor, optimizer) -> None:
    memory.reset_state()
    for batch in loader:
        optimizer.zero_grad()
        memory.update(batch.src, batch.dst, batch.msg)
        negative = torch.randint(memory.sizes.nodes, batch.dst.shape)
        positive_out = predictor(memory(batch.src), memory(batch.dst))
        negative_out = predictor(memory(batch.src), memory(negative))
        loss = nn.functional.softplus(-positive_out).mean() + nn.functional.softplus(negative_out).mean()
        loss.backward()  # error: IP103
        optimizer.step()


if __name__ == "__main__":
    torch.manual_seed(0)
    sizes = Sizes()
    events = 8
    data = TemporalData(
        src=torch.arange(events) % sizes.nodes,
        dst=(torch.arange(events) + 2) % sizes.nodes,
        t=torch.arange(events),
        msg=torch.randn(events, sizes.message),
    )
    memory, predictor = NodeMemory(sizes), LinkPredictor(sizes.memory)
    adam = torch.optim.Adam([*memory.parameters(), *predictor.parameters()], lr=1e-3)
    train(TemporalDataLoader(data, batch_size=4), memory, predictor, adam)
