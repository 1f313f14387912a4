"""accelerate.accelerator."""

from accelerate import Accelerator

DESCRIBES = "accelerate 1.0 to 1.15"
