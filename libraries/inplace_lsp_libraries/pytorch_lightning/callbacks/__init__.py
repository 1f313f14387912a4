"""pytorch_lightning.callbacks."""

from lightning.pytorch.callbacks import Callback, LambdaCallback

DESCRIBES = "pytorch_lightning 1.6 to 2.6"
