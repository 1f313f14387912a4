"""What lies in memory, as far as copies tell: two storages with one number hold the same values."""

from __future__ import annotations

from inplace_lsp.interpret.state.values import Storage, Tensor


class Contents:
    """Numbers that identify the contents of storages; a storage that was never written has its own number."""

    def __init__(self) -> None:
        self._numbers: dict[int, int] = {}

    def duplicate(self) -> Contents:
        """Return the same numbers, to go back to."""
        other = Contents()
        other._numbers.update(self._numbers)
        return other

    def find_number(self, storage: Storage) -> int:
        """Return the number of what lies in `storage`."""
        return self._numbers.get(storage.id, storage.id)

    def note_write(self, storage: Storage, at: int) -> None:
        """Note that event `at` has written into `storage`."""
        self._numbers[storage.id] = -1 - at

    def forget_copies(self) -> None:
        """Forget which storages hold the same values: anything may have been written since."""
        self._numbers.clear()

    def note_copy(self, of: Tensor, into: Tensor) -> None:
        """Note that all of `into` now holds what all of `of` does."""
        if _is_whole(of) and _is_whole(into):
            self._numbers[into.storage.id] = self.find_number(of.storage)


def _is_whole(tensor: Tensor) -> bool:
    """Return whether the tensor is all of its memory: no view, and no alias of one."""
    return tensor.base is None and (tensor.original is None or tensor.original.base is None)
