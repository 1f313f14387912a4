"""An optimizer of one's own, made by code that is not in sight: its parameters are leaves that require grad."""

import torch


class SignDescent(torch.optim.Optimizer):
    def __init__(self, params, lr=0.01, momentum=0.9):
        super().__init__(params, {"lr": lr, "momentum": momentum})

    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                state = self.state[p]
                if "average" not in state:
                    state["average"] = torch.zeros_like(p)
                state["average"].mul_(group["momentum"]).add_(p.grad)
                p.add_(state["average"].sign(), alpha=-group["lr"])  # error: IP201


class SignDescentWithoutGrad(SignDescent):
    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    p.add_(p.grad.sign(), alpha=-group["lr"])


class SignDescentOnData(SignDescent):
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    grad = p.grad.data
                    grad.add_(p.data, alpha=0.1)
                    p.data.add_(grad.sign(), alpha=-group["lr"])


exec(
    """
for optimize in (SignDescent, SignDescentWithoutGrad, SignDescentOnData):
    layer = torch.nn.Linear(3, 1)
    optimizer = optimize(layer.parameters())
    for _ in range(2):
        optimizer.zero_grad()
        layer(torch.rand(2, 3)).sum().backward()
        try:
            optimizer.step()
        except RuntimeError as error:
            print(error)
"""
)
