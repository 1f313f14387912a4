"""gym: environments as they were before gymnasium."""

from inplace_lsp.modelling import data, ignores
from gymnasium import Env, ObservationWrapper, Wrapper

DESCRIBES = "gym 0.26"


@ignores("id", "args", "kwargs", because="what an environment does is no part of a graph")
def make(id, *args, **kwargs):
    """Make an environment."""
    return data("an environment")
