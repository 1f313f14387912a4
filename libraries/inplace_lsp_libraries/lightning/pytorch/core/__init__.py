"""lightning.pytorch.core."""

from lightning.pytorch.core.datamodule import LightningDataModule
from lightning.pytorch.core.module import LightningModule

DESCRIBES = "lightning 2.0 to 2.6"
