"""torch.onnx: models for other runtimes."""

DESCRIBES = "torch 2.13"


def is_in_onnx_export():
    """Tell whether the code is being exported: it runs."""
    return False
