"""torchmetrics.regression: metrics of numbers."""

from torchmetrics import *

DESCRIBES = "torchmetrics 1.0 to 1.9"
