"""torchmetrics.aggregation: means, sums and lists of values."""

from torchmetrics import *

DESCRIBES = "torchmetrics 1.0 to 1.9"
