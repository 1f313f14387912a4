"""The handler nested in the factory clips the weights on the event that the step fires after its backward and step."""

import torch
import torch.nn.functional as F
from ignite.engine import Engine, EventEnum, Events
from torch import nn


class BackwardEvents(EventEnum):
    BACKWARD_STARTED = "backward_started"
    BACKWARD_COMPLETED = "backward_completed"
    OPTIM_STEP_COMPLETED = "optim_step_completed"


def create_trainer(model, optimizer, clip=0.1):
    def update(engine, batch):
        x, y = batch
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        engine.fire_event(BackwardEvents.BACKWARD_STARTED)
        loss.backward()
        engine.fire_event(BackwardEvents.BACKWARD_COMPLETED)
        optimizer.step()
        engine.fire_event(BackwardEvents.OPTIM_STEP_COMPLETED)
        return loss.item()

    trainer = Engine(update)
    trainer.register_events(*BackwardEvents)

    @trainer.on(BackwardEvents.OPTIM_STEP_COMPLETED)
    def clip_weights():
        with torch.no_grad():
            for param in model.parameters():
                param.clamp_(-clip, clip)

    @trainer.on(BackwardEvents.BACKWARD_COMPLETED)
    def clip_gradients():
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)

    @trainer.on(Events.EPOCH_COMPLETED)
    def report(engine):
        print(engine.state.epoch, engine.state.output)

    return trainer


net = nn.Sequential(nn.Linear(3, 6), nn.Sigmoid(), nn.Linear(6, 1))
trainer = create_trainer(net, torch.optim.RMSprop(net.parameters(), lr=5e-5))
trainer.run([(torch.randn(4, 3), torch.randn(4, 1)) for _ in range(2)], max_epochs=1)
