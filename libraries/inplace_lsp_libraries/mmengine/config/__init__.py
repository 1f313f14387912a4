"""mmengine.config: nested dicts whose values are attributes, too."""

from inplace_lsp.modelling import ignores

DESCRIBES = "mmengine 0.10"


@ignores("cfg_text", "filename", "env_variables", "format_python_code", because="where settings are from")
def Config(cfg_dict=None, cfg_text=None, filename=None, env_variables=None, format_python_code=True):
    """Keep the settings of a dict."""
    return dict(cfg_dict or {})


def ConfigDict(*args, **kwargs):
    """Keep the settings of a dict."""
    return dict(*args, **kwargs)
