"""munch: a dict whose entries are attributes, too."""

DESCRIBES = "munch 4.0"


def Munch(*args, **kwargs):
    """Keep the settings of a dict."""
    return dict(*args, **kwargs)
