"""The trainer's output transform hands the loss on with its graph, which the handler walks again after the trainer has freed it."""

import torch
from ignite.engine import Events, create_supervised_trainer
from torch import nn

model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
trainer = create_supervised_trainer(
    model, optimizer, nn.MSELoss(), output_transform=lambda x, y, y_pred, loss: {"y_pred": y_pred, "loss": loss}
)
sensitivity = {}


@trainer.on(Events.ITERATION_COMPLETED)
def record_sensitivity(engine):
    model.zero_grad()
    engine.state.output["loss"].backward()  # error: IP103
    for name, param in model.named_parameters():
        sensitivity[name] = param.grad.abs().mean().item()


data = [(torch.randn(4, 4), torch.randn(4, 1)) for _ in range(2)]
trainer.run(data, max_epochs=1)
