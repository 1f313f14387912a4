"""pytorch_lightning.core."""

from lightning.pytorch.core import LightningDataModule, LightningModule

DESCRIBES = "pytorch_lightning 1.6 to 2.6"
