"""torch.backends.mps: programs are judged as they run without a GPU."""

DESCRIBES = "torch 2.13"


def is_available():
    """Tell whether there is a GPU."""
    return False
