"""gymnasium: environments give numbers and arrays, which carry no gradients."""

from inplace_lsp.modelling import data, ignores, is_known

DESCRIBES = "gymnasium 0.29 to 1.4"

_OUTSIDE = "what an environment does with it is no part of a graph"


class Env:
    """An environment; programs derive their own."""

    def __init__(self):
        self.observation_space = data("a space")
        self.action_space = data("a space")

    @ignores("seed", "options", because=_OUTSIDE)
    def reset(self, *, seed=None, options=None):
        """Begin an episode."""
        return data("an observation"), {}

    @ignores("action", because=_OUTSIDE)
    def step(self, action):
        """Do an action."""
        return data("an observation"), data("a reward"), data("an end"), data("an end"), {}

    def render(self):
        """Draw the environment."""
        return data("a picture")

    def close(self):
        """End the environment."""

    @property
    def unwrapped(self):
        """Return the environment itself."""
        return self


class Wrapper(Env):
    """An environment around another one."""

    def __init__(self, env):
        super().__init__()
        self.env = env

    @ignores("seed", "options", because=_OUTSIDE)
    def reset(self, *, seed=None, options=None):
        """Begin an episode."""
        return self.env.reset() if is_known(self.env) else data("an observation")

    def step(self, action):
        """Do an action."""
        return self.env.step(action) if is_known(self.env) else data("a step")


class ObservationWrapper(Wrapper):
    """Changes what is observed."""

    @ignores("seed", "options", because=_OUTSIDE)
    def reset(self, *, seed=None, options=None):
        """Begin an episode."""
        observation, info = super().reset()
        return self.observation(observation), info

    def step(self, action):
        """Do an action."""
        observation, *rest = super().step(action)
        return (self.observation(observation), *rest)


@ignores("id", "max_episode_steps", "disable_env_checker", "kwargs", because=_OUTSIDE)
def make(id, max_episode_steps=None, disable_env_checker=None, **kwargs):
    """Make an environment."""
    return Env()


@ignores("id", "num_envs", "vectorization_mode", "vector_kwargs", "wrappers", "kwargs", because=_OUTSIDE)
def make_vec(id, num_envs=1, vectorization_mode=None, vector_kwargs=None, wrappers=None, **kwargs):
    """Make several environments that step together."""
    return Env()
