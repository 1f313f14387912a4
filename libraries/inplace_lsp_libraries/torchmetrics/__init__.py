"""torchmetrics: states that are updated without a graph; calling a metric gives the batch's value with its graph."""

from copy import deepcopy

import torch
from inplace_lsp.modelling import compute, ignores
from torch import nn
from torchmetrics.utilities import dim_zero_cat

DESCRIBES = "torchmetrics 1.0 to 1.9"

_DISTRIBUTED = "one process is judged"
_OPTIONS = "which number is computed does not matter"


class Metric(nn.Module):
    """Keeps states; `update` runs without a graph, but what it appends to a list keeps the one it has."""

    @ignores("kwargs", because=_DISTRIBUTED)
    def __init__(self, **kwargs):
        super().__init__()
        self._defaults = {}
        self._enable_grad = False
        self.update = self._without_graph(self.update)

    def _without_graph(self, update):
        def run(*args, **kwargs):
            with torch.set_grad_enabled(self._enable_grad):
                update(*args, **kwargs)

        return run

    @ignores("dist_reduce_fx", "persistent", because=_DISTRIBUTED)
    def add_state(self, name, default, dist_reduce_fx=None, persistent=False):
        """Make a state."""
        self._defaults[name] = default
        setattr(self, name, list(default) if isinstance(default, list) else default.clone())

    def reset(self):
        """Set all states as they were at first."""
        for name, default in self._defaults.items():
            setattr(self, name, list(default) if isinstance(default, list) else default.detach().clone())

    def forward(self, *args, **kwargs):
        """Update the states, and compute the batch's own value with its graph."""
        before = {name: getattr(self, name) for name in self._defaults}
        self.reset()
        self._enable_grad = True
        self.update(*args, **kwargs)
        value = self.compute()
        self._enable_grad = False
        for name, state in before.items():
            now = getattr(self, name)
            setattr(self, name, state + now if isinstance(state, list) else (state + now).detach())
        return value


class CatMetric(Metric):
    """Keeps all values, with their graphs."""

    @ignores("kwargs", "nan_strategy", because=_OPTIONS)
    def __init__(self, nan_strategy="warn", **kwargs):
        super().__init__()
        self.add_state("value", default=[], dist_reduce_fx="cat")

    def update(self, value):
        """Keep the values."""
        self.value.append(value)

    def compute(self):
        """Put the values together."""
        return dim_zero_cat(self.value)


class _Sums(Metric):
    """Keeps sums without a graph."""

    @ignores("args", "kwargs", because=_OPTIONS)
    def __init__(self, *args, **kwargs):
        super().__init__()
        self.add_state("total", default=torch.zeros(()), dist_reduce_fx="sum")

    def update(self, *args, **kwargs):
        """Add to the sums."""
        self.total = self.total + compute("a metric", (args, kwargs))

    def compute(self):
        """Divide the sums."""
        return self.total / 1


MeanMetric = SumMetric = MaxMetric = MinMetric = RunningMean = RunningSum = _Sums
MeanSquaredError = MeanAbsoluteError = MeanSquaredLogError = MeanAbsolutePercentageError = R2Score = _Sums
ExplainedVariance = PearsonCorrCoef = SpearmanCorrCoef = CosineSimilarity = KLDivergence = LogCoshError = _Sums
Accuracy = F1Score = Precision = Recall = AUROC = AveragePrecision = ConfusionMatrix = JaccardIndex = _Sums
Dice = Specificity = StatScores = CohenKappa = MatthewsCorrCoef = CalibrationError = HammingDistance = _Sums
PeakSignalNoiseRatio = StructuralSimilarityIndexMeasure = _Sums


class MetricCollection(nn.ModuleDict):
    """Several metrics by name."""

    @ignores("prefix", "postfix", "compute_groups", because="how results are called does not matter")
    def __init__(self, metrics, *additional_metrics, prefix=None, postfix=None, compute_groups=True):
        named = metrics if isinstance(metrics, dict) else {}
        listed = [] if isinstance(metrics, dict) else metrics if isinstance(metrics, (list, tuple)) else [metrics]
        super().__init__({**named, **{str(at): metric for at, metric in enumerate([*listed, *additional_metrics])}})

    @ignores("prefix", "postfix", because="how results are called does not matter")
    def clone(self, prefix=None, postfix=None):
        """Copy all metrics."""
        return deepcopy(self)

    def update(self, *args, **kwargs):
        """Update all metrics."""
        for metric in self.values():
            metric.update(*args, **kwargs)

    def compute(self):
        """Compute all metrics."""
        return {name: metric.compute() for name, metric in self.items()}

    def reset(self):
        """Reset all metrics."""
        for metric in self.values():
            metric.reset()

    def forward(self, *args, **kwargs):
        """Call all metrics."""
        return {name: metric(*args, **kwargs) for name, metric in self.items()}
