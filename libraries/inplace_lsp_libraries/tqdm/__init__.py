"""tqdm 4.60 to 4.70: a progress bar hands its iterable through."""

from inplace_lsp.modelling import ignores

DESCRIBES = "tqdm 4.60 to 4.70"

_SHOWN = "what a bar shows says nothing of tensors"


class tqdm:
    """A progress bar."""

    @ignores(
        "desc",
        "leave",
        "file",
        "ncols",
        "mininterval",
        "maxinterval",
        "miniters",
        "ascii",
        "unit",
        "unit_scale",
        "dynamic_ncols",
        "smoothing",
        "bar_format",
        "position",
        "postfix",
        "unit_divisor",
        "write_bytes",
        "lock_args",
        "nrows",
        "colour",
        "delay",
        "gui",
        "kwargs",
        because=_SHOWN,
    )
    def __init__(
        self,
        iterable=None,
        desc=None,
        total=None,
        leave=True,
        file=None,
        ncols=None,
        mininterval=0.1,
        maxinterval=10.0,
        miniters=None,
        ascii=None,
        disable=False,
        unit="it",
        unit_scale=False,
        dynamic_ncols=False,
        smoothing=0.3,
        bar_format=None,
        initial=0,
        position=None,
        postfix=None,
        unit_divisor=1000,
        write_bytes=False,
        lock_args=None,
        nrows=None,
        colour=None,
        delay=0.0,
        gui=False,
        **kwargs,
    ):
        self.iterable, self.total, self.disable, self.n = iterable, total, disable, initial

    def __iter__(self):
        return iter(self.iterable)

    def __len__(self):
        return self.total if self.iterable is None else len(self.iterable)

    def __enter__(self):
        return self

    def __exit__(self, *details):
        pass

    @ignores("n", because=_SHOWN)
    def update(self, n=1):
        """Count steps."""

    @ignores("desc", "refresh", because=_SHOWN)
    def set_description(self, desc=None, refresh=True):
        """Show a text."""

    @ignores("desc", "refresh", because=_SHOWN)
    def set_description_str(self, desc=None, refresh=True):
        """Show a text."""

    @ignores("ordered_dict", "refresh", "kwargs", because=_SHOWN)
    def set_postfix(self, ordered_dict=None, refresh=True, **kwargs):
        """Show values."""

    @ignores("s", "refresh", because=_SHOWN)
    def set_postfix_str(self, s="", refresh=True):
        """Show a text."""

    @ignores("nolock", "lock_args", because=_SHOWN)
    def refresh(self, nolock=False, lock_args=None):
        """Show the bar again."""

    @ignores("total", because=_SHOWN)
    def reset(self, total=None):
        """Begin again."""

    @ignores("nolock", because=_SHOWN)
    def clear(self, nolock=False):
        """Hide the bar."""

    def close(self):
        """End the bar."""

    @staticmethod
    @ignores("s", "file", "end", "nolock", because=_SHOWN)
    def write(s, file=None, end="\n", nolock=False):
        """Print a text."""


def trange(*args, **kwargs):
    """Show the progress of a range."""
    return tqdm(range(*args), **kwargs)
