"""omegaconf: settings of dicts and lists whose entries are attributes, too."""

from inplace_lsp.modelling import data, ignores

DESCRIBES = "omegaconf 2.3"


class OmegaConf:
    """Makes settings of dicts and files."""

    @staticmethod
    @ignores("parent", "flags", because="who else reads the settings does not matter")
    def create(obj=None, parent=None, flags=None):
        """Keep the settings of a dict."""
        return {} if obj is None else obj

    @staticmethod
    @ignores("file_", because="the file is not looked into")
    def load(file_):
        """Read settings from a file."""
        return data("settings")

    @staticmethod
    def merge(*configs):
        """Put settings together."""
        merged = {}
        for config in configs:
            merged.update(config)
        return merged

    @staticmethod
    @ignores("resolve", "throw_on_missing", because="the settings are the same")
    def to_container(cfg, *, resolve=False, throw_on_missing=False):
        """Return the settings as dicts and lists."""
        return cfg


DictConfig = OmegaConf.create
