"""The handler only reads the gradients and the output's values and writes the weights, after the trainer has walked and stepped."""

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
    for name, param in model.named_parameters():
        sensitivity[name] = param.grad.abs().mean().item()
    engine.state.metrics["loss"] = engine.state.output["loss"].item()


@trainer.on(Events.ITERATION_COMPLETED)
@torch.no_grad()
def project_weights(engine):
    for module in model.modules():
        if isinstance(module, nn.Linear):
            module.weight.div_(module.weight.norm(dim=1, keepdim=True).clamp_(min=1.0))


@trainer.on(Events.EPOCH_COMPLETED)
def decay_rate(engine):
    for group in optimizer.param_groups:
        group["lr"] *= 0.9


data = [(torch.randn(4, 4), torch.randn(4, 1)) for _ in range(2)]
trainer.run(data, max_epochs=2)
