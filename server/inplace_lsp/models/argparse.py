"""argparse of Python 3.10 to 3.14: settings of the command line. A default is one possibility among others."""

from inplace_lsp.modelling import ignores, one_of

DESCRIBES = "Python 3.10 to 3.14"

_WORDS = "it is for the one who reads the help"


class Namespace:
    """Settings as attributes."""

    def __init__(self, **kwargs):
        for name, value in kwargs.items():
            setattr(self, name, value)


class ArgumentParser:
    """Knows of each setting its default and its choices."""

    @ignores(
        "prog",
        "usage",
        "description",
        "epilog",
        "parents",
        "formatter_class",
        "prefix_chars",
        "fromfile_prefix_chars",
        "argument_default",
        "conflict_handler",
        "add_help",
        "allow_abbrev",
        "exit_on_error",
        "suggest_on_error",
        "color",
        because=_WORDS,
    )
    def __init__(
        self,
        prog=None,
        usage=None,
        description=None,
        epilog=None,
        parents=(),
        formatter_class=(),
        prefix_chars="-",
        fromfile_prefix_chars=None,
        argument_default=None,
        conflict_handler="error",
        add_help=True,
        allow_abbrev=True,
        exit_on_error=True,
        *,
        suggest_on_error=False,
        color=True,
    ):
        self._settings = {}

    def add_argument(self, *name_or_flags, **kwargs):
        """Declare a setting."""
        names = [flag for flag in name_or_flags if flag.startswith("--")] or name_or_flags
        name = kwargs.get("dest") or names[0].lstrip("-").replace("-", "_")
        action = kwargs.get("action")
        default = kwargs.get("default", False if action == "store_true" else True if action == "store_false" else None)
        self._settings[name] = (default, list(kwargs.get("choices") or []))

    @ignores("args", "kwargs", because=_WORDS)
    def add_argument_group(self, *args, **kwargs):
        """Declare settings that belong together."""
        return self

    @ignores("kwargs", because=_WORDS)
    def add_mutually_exclusive_group(self, **kwargs):
        """Declare settings of which one is given."""
        return self

    def set_defaults(self, **kwargs):
        """Declare other defaults."""
        for name, default in kwargs.items():
            self._settings[name] = (default, [])

    def parse_args(self, args=None, namespace=None):
        """Read the command line, of which nothing is known; an empty one leaves the defaults."""
        settings = Namespace() if namespace is None else namespace
        for name, (default, choices) in self._settings.items():
            setattr(settings, name, default if args == [] else one_of([default, *choices], name))
        return settings

    def parse_known_args(self, args=None, namespace=None):
        """Read what is known of the command line."""
        return self.parse_args(args, namespace), []
