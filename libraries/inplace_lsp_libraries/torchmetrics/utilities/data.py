"""torchmetrics.utilities.data: where the helpers are kept."""

from torchmetrics.utilities import dim_zero_cat, dim_zero_mean, dim_zero_sum

DESCRIBES = "torchmetrics 1.0 to 1.9"
