"""easydict: a dict whose entries are attributes, too."""

DESCRIBES = "easydict 1.10 to 1.13"


def EasyDict(*args, **kwargs):
    """Keep the settings of a dict."""
    return dict(*args, **kwargs)
