"""A handler of a custom event that fires just before the backward adds noise to weights the loss has saved."""

from enum import Enum

import torch
from ignite.engine import Engine, EventEnum, Events
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class BackpropEvents(EventEnum):
    BACKWARD_STARTED = "backward_started"
    BACKWARD_COMPLETED = "backward_completed"
    OPTIM_STEP_COMPLETED = "optim_step_completed"


class Noise(Enum):
    GAUSS = 1
    UNIFORM = 2


def make_trainer(model, optimizer, criterion) -> Engine:
    def update(engine, batch):
        model.train()
        optimizer.zero_grad()
        x, y = batch
        loss = criterion(model(x), y)
        engine.fire_event(BackpropEvents.BACKWARD_STARTED)
        loss.backward()
        engine.fire_event(BackpropEvents.BACKWARD_COMPLETED)
        optimizer.step()
        engine.fire_event(BackpropEvents.OPTIM_STEP_COMPLETED)
        return loss.item()

    trainer = Engine(update)
    trainer.register_events(*BackpropEvents)
    return trainer


def inject_noise(engine: Engine, module: nn.Module, std: float, kind: Noise) -> None:
    with torch.no_grad():
        for weight in (p for p in module.parameters() if p.dim() > 1):
            noise = torch.randn_like(weight) if kind is Noise.GAUSS else torch.rand_like(weight) - 0.5
            weight.add_(noise, alpha=std)  # error: IP101


def main() -> None:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 8), nn.Softplus(), nn.Linear(8, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    trainer = make_trainer(model, optimizer, nn.MSELoss())
    trainer.add_event_handler(BackpropEvents.BACKWARD_STARTED, inject_noise, model, std=0.01, kind=Noise.GAUSS)

    @trainer.on(Events.EPOCH_COMPLETED(every=1))
    def report(engine):
        engine.state.metrics["last"] = engine.state.output

    trainer.run(DataLoader(TensorDataset(torch.randn(8, 3), torch.randn(8, 1)), batch_size=4), max_epochs=1)


if __name__ == "__main__":
    main()
