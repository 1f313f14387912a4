"""The trainer's list of hooks is ordered by priority, and one that overwrites weights comes before the hook for the backward."""

from dataclasses import dataclass, field

import torch
from torch import nn

HOOKS = {}


def register(cls):
    HOOKS[cls.__name__] = cls
    return cls


class Hook:
    priority = 50

    def after_forward(self, runner) -> None:
        pass


@register
class OptimizerHook(Hook):
    priority = 60

    def __init__(self, grad_clip: float | None = None) -> None:
        self.grad_clip = grad_clip

    def after_forward(self, runner) -> None:
        runner.optimizer.zero_grad()
        runner.outputs["loss"].backward()
        if self.grad_clip is not None:
            nn.utils.clip_grad_norm_(runner.model.parameters(), self.grad_clip)
        runner.optimizer.step()


@register
class SpectralClipHook(Hook):
    priority = 10

    def __init__(self, limit: float) -> None:
        self.limit = limit

    def after_forward(self, runner) -> None:
        for module in runner.model.modules():
            if isinstance(module, nn.Linear):
                largest = torch.linalg.matrix_norm(module.weight.detach(), ord=2)
                with torch.no_grad():
                    module.weight.mul_(self.limit / largest.clamp(min=self.limit))  # error: IP101


@dataclass
class Config:
    hooks: list[dict] = field(default_factory=list)
    max_iters: int = 1


class Runner:
    def __init__(self, model, optimizer, cfg: Config) -> None:
        self.model, self.optimizer, self.cfg = model, optimizer, cfg
        self.hooks = sorted((self.build(spec) for spec in cfg.hooks), key=lambda hook: hook.priority)
        self.outputs: dict[str, torch.Tensor] = {}

    @staticmethod
    def build(spec: dict) -> Hook:
        spec = dict(spec)
        return HOOKS[spec.pop("type")](**spec)

    def call_hook(self, name: str) -> None:
        for hook in self.hooks:
            getattr(hook, name)(self)

    def run(self, batches) -> None:
        for _, (x, y) in zip(range(self.cfg.max_iters), batches):
            self.outputs = {"loss": nn.functional.mse_loss(self.model(x), y)}
            self.call_hook("after_forward")


if __name__ == "__main__":
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(3, 5), nn.Mish(), nn.Linear(5, 1))
    cfg = Config(hooks=[{"type": "OptimizerHook", "grad_clip": 1.0}, {"type": "SpectralClipHook", "limit": 0.5}])
    Runner(net, torch.optim.SGD(net.parameters(), lr=0.1), cfg).run([(torch.randn(4, 3), torch.randn(4, 1))])
