"""EMAHandler averages the weights after each iteration, when the trainer has walked the graph; evaluation reads the averages."""

import torch
from ignite.engine import Events, create_supervised_evaluator, create_supervised_trainer
from ignite.handlers import EMAHandler, LRScheduler
from ignite.metrics import Loss
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

model = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(inplace=True), nn.Linear(8, 3))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
criterion = nn.CrossEntropyLoss()
loader = DataLoader(TensorDataset(torch.randn(12, 4), torch.randint(0, 3, (12,))), batch_size=4)

trainer = create_supervised_trainer(model, optimizer, criterion, gradient_accumulation_steps=2)
ema = EMAHandler(model, momentum=0.01)
ema.attach(trainer, name="ema_momentum", event=Events.ITERATION_COMPLETED(every=2))
scheduler = LRScheduler(torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.5))
trainer.add_event_handler(Events.ITERATION_COMPLETED, scheduler)
evaluator = create_supervised_evaluator(ema.ema_model, metrics={"loss": Loss(criterion)})


@trainer.on(Events.EPOCH_COMPLETED)
def evaluate(engine):
    evaluator.run(loader)
    print(engine.state.epoch, evaluator.state.metrics["loss"])


@trainer.on(Events.COMPLETED)
def use_averages(engine):
    model.load_state_dict(ema.ema_model.state_dict())


trainer.run(loader, max_epochs=2)
