"""lightning.pytorch.callbacks.callback."""

from lightning.pytorch.callbacks import Callback

DESCRIBES = "lightning 2.0 to 2.6"
