"""box: a dict whose entries are attributes, too."""

DESCRIBES = "box 7.0"


def Box(*args, **kwargs):
    """Keep the settings of a dict."""
    return dict(*args, **kwargs)
