"""Makes torchvision importable, on which several of the libraries here depend."""

import torchvision_stub  # noqa: F401
