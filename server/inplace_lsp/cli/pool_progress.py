"""The progress of the processes of a pool, in memory that they share with the process that shows it."""

from __future__ import annotations

from functools import partial
from multiprocessing.context import BaseContext

from inplace_lsp.analysis_progress import listen


class Shares:
    """A slot for each process: the share of its file that is done."""

    def __init__(self, processes: int, context: BaseContext) -> None:
        self._slots = context.RawArray("d", processes)
        self._taken = context.Value("i", 0)

    def join_process(self) -> None:
        """Make this process write its progress here, from now on."""
        with self._taken.get_lock():
            slot = self._taken.value % len(self._slots)
            self._taken.value += 1
        listen(partial(self._slots.__setitem__, slot))

    def sum_shares(self) -> float:
        """Return the sum over all processes."""
        return float(sum(self._slots))
