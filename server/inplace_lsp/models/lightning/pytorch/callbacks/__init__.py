"""lightning.pytorch.callbacks: what is called at the stations of a training."""

DESCRIBES = "lightning 2.0 to 2.6"


class Callback:
    """Called at the stations of a training."""
