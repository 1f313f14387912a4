"""What trainers have in common."""

from __future__ import annotations

from zoo.optim import make_optimizer


class BaseTrainer:
    """Keeps networks and their optimizers under the names they are given by (`self.G`, `self.G_opt`)."""

    def __init__(self, **networks) -> None:
        for name, network in networks.items():
            setattr(self, name, network)
            setattr(self, f"{name}_opt", make_optimizer(network))
