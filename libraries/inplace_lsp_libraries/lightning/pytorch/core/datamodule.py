"""lightning.pytorch.core.datamodule: where batches come from."""

from inplace_lsp.modelling import ignores
from lightning.pytorch.core.module import HyperparametersMixin

DESCRIBES = "lightning 2.0 to 2.6"


class LightningDataModule(HyperparametersMixin):
    """Makes the loaders of a training."""

    @ignores("stage", because="data sets are made for each stage alike")
    def setup(self, stage):
        """Make the data sets ready."""

    def prepare_data(self):
        """Fetch the data."""
