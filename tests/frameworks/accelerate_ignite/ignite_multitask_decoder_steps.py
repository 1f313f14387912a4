"""Each task's optimizer steps the shared trunk inside the loop over tasks, under the graphs of the tasks still to come."""

from collections import OrderedDict
from functools import partial

import torch
from ignite.engine import Engine, Events
from ignite.metrics import RunningAverage
from torch import nn


class MultiTask(nn.Module):
    def __init__(self, tasks: dict[str, int]) -> None:
        super().__init__()
        self.trunk = nn.Sequential(OrderedDict(fc1=nn.Linear(4, 8), act1=nn.ReLU(), fc2=nn.Linear(8, 8), act2=nn.ELU()))
        self.heads = nn.ModuleDict({name: nn.Linear(8, width) for name, width in tasks.items()})

    def forward(self, x):
        shared = self.trunk(x)
        return {name: head(shared) for name, head in self.heads.items()}


CRITERIA = {
    "depth": nn.SmoothL1Loss(),
    "class": nn.CrossEntropyLoss(),
}


def update(engine, batch, *, model, optimizers):
    x, targets = batch
    outputs = model(x)
    losses = {name: CRITERIA[name](outputs[name], targets[name]) for name in outputs}
    pending = list(losses)
    while pending:
        name = pending.pop(0)
        optimizers[name].zero_grad()
        losses[name].backward(retain_graph=bool(pending))
        optimizers[name].step()  # error: IP102
    return {name: loss.item() for name, loss in losses.items()}


def main() -> None:
    torch.manual_seed(0)
    model = MultiTask({"depth": 1, "class": 3})
    optimizers = {
        name: torch.optim.SGD([*model.trunk.parameters(), *head.parameters()], lr=0.01)
        for name, head in model.heads.items()
    }
    trainer = Engine(partial(update, model=model, optimizers=optimizers))
    for name in model.heads:
        RunningAverage(output_transform=lambda out, name=name: out[name]).attach(trainer, name)

    @trainer.on(Events.ITERATION_COMPLETED)
    def check(engine):
        if not all(map(torch.isfinite, map(torch.tensor, engine.state.output.values()))):
            engine.terminate()

    batch = (torch.randn(5, 4), {"depth": torch.randn(5, 1), "class": torch.randint(3, (5,))})
    trainer.run([batch, batch], max_epochs=1)


if __name__ == "__main__":
    main()
