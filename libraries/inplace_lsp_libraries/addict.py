"""addict: a dict whose entries are attributes, too."""

DESCRIBES = "addict 2.4"


def Dict(*args, **kwargs):
    """Keep the settings of a dict."""
    return dict(*args, **kwargs)
