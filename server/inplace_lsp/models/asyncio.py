"""asyncio of Python 3.10 to 3.14: coroutines, awaited one after the other."""

from inplace_lsp.modelling import ignores

DESCRIBES = "Python 3.10 to 3.14"

_WHEN = "when a coroutine runs is not known"


@ignores("return_exceptions", because="nothing is raised here")
async def gather(*coros_or_futures, return_exceptions=False):
    """Wait for all coroutines."""
    return [await part for part in coros_or_futures]


@ignores("timeout", because=_WHEN)
async def wait_for(fut, timeout):
    """Wait for one coroutine."""
    return await fut


async def to_thread(func, /, *args, **kwargs):
    """Call a function in a thread."""
    return func(*args, **kwargs)
