"""torch.optim.lr_scheduler: the learning rates in an optimizer's groups are changed, no tensor is written."""

from inplace_lsp.modelling import data, ignores

DESCRIBES = "torch 2.13"

_RATE = "a learning rate is a number: which one it is changes no graph"


class LRScheduler:
    """Holds an optimizer and changes the learning rates of its groups."""

    def __init__(self, optimizer, last_epoch=-1):
        self.optimizer = optimizer
        self.last_epoch = last_epoch
        self.base_lrs = [group["lr"] for group in optimizer.param_groups]

    @ignores("epoch", because=_RATE)
    def step(self, epoch=None):
        """Choose the next learning rates."""
        for group in self.optimizer.param_groups:
            group["lr"] = float(data("a learning rate"))

    def get_last_lr(self):
        """List the learning rates of all groups."""
        return [group["lr"] for group in self.optimizer.param_groups]

    def get_lr(self):
        """List the learning rates of all groups."""
        return self.get_last_lr()

    def state_dict(self):
        """Give what the scheduler counts."""
        return {"last_epoch": self.last_epoch, "base_lrs": self.base_lrs}

    @ignores("state_dict", because="it holds numbers")
    def load_state_dict(self, state_dict):
        """Go on counting from there."""


_LRScheduler = LRScheduler


class LambdaLR(LRScheduler):
    @ignores("lr_lambda", because=_RATE)
    def __init__(self, optimizer, lr_lambda, last_epoch=-1):
        super().__init__(optimizer, last_epoch)


class MultiplicativeLR(LRScheduler):
    @ignores("lr_lambda", because=_RATE)
    def __init__(self, optimizer, lr_lambda, last_epoch=-1):
        super().__init__(optimizer, last_epoch)


class StepLR(LRScheduler):
    @ignores("step_size", "gamma", because=_RATE)
    def __init__(self, optimizer, step_size, gamma=0.1, last_epoch=-1):
        super().__init__(optimizer, last_epoch)


class MultiStepLR(LRScheduler):
    @ignores("milestones", "gamma", because=_RATE)
    def __init__(self, optimizer, milestones, gamma=0.1, last_epoch=-1):
        super().__init__(optimizer, last_epoch)


class ConstantLR(LRScheduler):
    @ignores("factor", "total_iters", because=_RATE)
    def __init__(self, optimizer, factor=1 / 3, total_iters=5, last_epoch=-1):
        super().__init__(optimizer, last_epoch)


class LinearLR(LRScheduler):
    @ignores("start_factor", "end_factor", "total_iters", because=_RATE)
    def __init__(self, optimizer, start_factor=1 / 3, end_factor=1.0, total_iters=5, last_epoch=-1):
        super().__init__(optimizer, last_epoch)


class ExponentialLR(LRScheduler):
    @ignores("gamma", because=_RATE)
    def __init__(self, optimizer, gamma, last_epoch=-1):
        super().__init__(optimizer, last_epoch)


class PolynomialLR(LRScheduler):
    @ignores("total_iters", "power", because=_RATE)
    def __init__(self, optimizer, total_iters=5, power=1.0, last_epoch=-1):
        super().__init__(optimizer, last_epoch)


class CosineAnnealingLR(LRScheduler):
    @ignores("T_max", "eta_min", because=_RATE)
    def __init__(self, optimizer, T_max, eta_min=0.0, last_epoch=-1):
        super().__init__(optimizer, last_epoch)


class CosineAnnealingWarmRestarts(LRScheduler):
    @ignores("T_0", "T_mult", "eta_min", because=_RATE)
    def __init__(self, optimizer, T_0, T_mult=1, eta_min=0.0, last_epoch=-1):
        super().__init__(optimizer, last_epoch)


class CyclicLR(LRScheduler):
    @ignores(
        "base_lr",
        "max_lr",
        "step_size_up",
        "step_size_down",
        "mode",
        "gamma",
        "scale_fn",
        "scale_mode",
        "cycle_momentum",
        "base_momentum",
        "max_momentum",
        because=_RATE,
    )
    def __init__(
        self,
        optimizer,
        base_lr,
        max_lr,
        step_size_up=2000,
        step_size_down=None,
        mode="triangular",
        gamma=1.0,
        scale_fn=None,
        scale_mode="cycle",
        cycle_momentum=True,
        base_momentum=0.8,
        max_momentum=0.9,
        last_epoch=-1,
    ):
        super().__init__(optimizer, last_epoch)


class OneCycleLR(LRScheduler):
    @ignores(
        "max_lr",
        "total_steps",
        "epochs",
        "steps_per_epoch",
        "pct_start",
        "anneal_strategy",
        "cycle_momentum",
        "base_momentum",
        "max_momentum",
        "div_factor",
        "final_div_factor",
        "three_phase",
        because=_RATE,
    )
    def __init__(
        self,
        optimizer,
        max_lr,
        total_steps=None,
        epochs=None,
        steps_per_epoch=None,
        pct_start=0.3,
        anneal_strategy="cos",
        cycle_momentum=True,
        base_momentum=0.85,
        max_momentum=0.95,
        div_factor=25.0,
        final_div_factor=1e4,
        three_phase=False,
        last_epoch=-1,
    ):
        super().__init__(optimizer, last_epoch)


class ReduceLROnPlateau(LRScheduler):
    """Makes rates smaller when a number that the program measures gets no better."""

    @ignores(
        "mode",
        "factor",
        "patience",
        "threshold",
        "threshold_mode",
        "cooldown",
        "min_lr",
        "eps",
        because=_RATE,
    )
    def __init__(
        self,
        optimizer,
        mode="min",
        factor=0.1,
        patience=10,
        threshold=1e-4,
        threshold_mode="rel",
        cooldown=0,
        min_lr=0,
        eps=1e-8,
    ):
        super().__init__(optimizer)

    @ignores("metrics", because="it is read as a number")
    def step(self, metrics, epoch=None):
        """Choose the next learning rates."""
        super().step(epoch)


class SequentialLR(LRScheduler):
    @ignores("schedulers", "milestones", because=_RATE)
    def __init__(self, optimizer, schedulers, milestones, last_epoch=-1):
        super().__init__(optimizer, last_epoch)


class ChainedScheduler(LRScheduler):
    def __init__(self, schedulers, optimizer=None):
        super().__init__(optimizer or schedulers[0].optimizer)

    def step(self):
        """Choose the next learning rates."""
        super().step()
