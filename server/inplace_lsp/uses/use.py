"""What was seen of one value in the code that uses it, and what kind of value it can only be."""

from __future__ import annotations

from dataclasses import dataclass, field, fields

from inplace_lsp.uses import members


@dataclass(slots=True)
class Use:
    """How code uses one value."""

    attributes: list[str] = field(default_factory=list)
    parts: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    """The methods whose result is unpacked, with the names that it is unpacked to; under "" those of its own result."""
    methods: list[str] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    """The texts that it is compared with."""
    unpacked: int = 0
    """Number of values that it is unpacked to."""
    called: bool = False
    given: int = 0
    """Maximum number of arguments that it is called with."""
    named: bool = False
    """Whether it is called with keyword arguments."""
    indexes: bool = False
    """Whether it is the index of a subscript of a name, or of a method that gathers by one."""
    subscripts: bool = False
    """Whether it is the index of a subscript of a name or of what a function of torch's gives."""
    counted: bool = False
    """Whether it is used where only a number fits."""
    looped: bool = False
    tested: bool = False
    computed: bool = False
    indexed: bool = False
    sliced: bool = False
    """Whether it is subscripted as only tensors can be."""
    compared: bool = False
    listed: bool = False
    """Whether the code tests if it is a list or a tuple."""
    measured: bool = False
    """Whether the code asks for its length."""
    hands_on: bool = False
    """Whether one of its elements is given to a part of `self`."""
    longest: int = 0
    """Minimum number of elements that its indices require."""
    makes: bool = False
    """Whether the constructor calls it."""
    is_share: bool = False
    """Whether the code rounds its product with a width to a whole number."""
    is_path: bool = False
    """Whether it is passed on as a path of a file or folder."""
    is_mapping: bool = False
    """Whether it may be a dictionary."""
    held: dict[str, Use] = field(default_factory=dict)
    """The uses of its attributes and of its values by key, if a deep look-up collects them."""
    item: Use | None = None
    """The uses of one of its elements."""
    item_parts: list[str] = field(default_factory=list)
    """The names that an element is unpacked to."""

    def add(self, other: Use) -> None:
        """Add the uses of the same value elsewhere."""
        for name in _PLAIN_FIELDS:
            mine, more = getattr(self, name), getattr(other, name)
            setattr(self, name, mine + more if isinstance(mine, list) else max(mine, more))
        for name, use in other.held.items() if other is not self else ():
            self.held.setdefault(name, Use()).add(use)
        if other.item is not None and other is not self:
            self.item = self.item or Use()
            self.item.add(other.item)
        self.item_parts = self.item_parts or other.item_parts

    @property
    def is_module(self) -> bool:
        """Return whether only a module has what the code asks of the value."""
        return any(map(members.is_of_modules, self.attributes))

    @property
    def is_optimizer(self) -> bool:
        """Return whether the code steps the value."""
        return "step" in self.attributes

    @property
    def is_dict(self) -> bool:
        """Return whether only a dictionary has what the code asks of the value."""
        shared = all(members.is_plain(name) or members.is_of_dicts(name) for name in self.attributes)
        return shared and any(map(members.is_of_dicts, self.attributes))

    @property
    def is_text(self) -> bool:
        """Return whether only a text has what the code asks of the value."""
        return any(map(members.is_of_texts, self.attributes))

    @property
    def holds_indices(self) -> bool:
        """Return whether it can only be a tensor of whole numbers."""
        return self.indexes or "long" in self.methods

    @property
    def is_tensor(self) -> bool:
        """Return whether tensors have what the code asks of the value, and plain Python values have not."""
        return any(map(members.is_of_tensors, self.attributes)) and not (self.is_module or self.keys)

    @property
    def is_surely_tensor(self) -> bool:
        """Return whether only a tensor has anything of what the code asks of the value."""
        return self.sliced or any(map(members.is_of_tensors_alone, self.attributes))

    @property
    def asked_for(self) -> list[str]:
        """The attributes that the code reads, if neither a tensor nor a module has them."""
        plain = not (self.is_tensor or self.is_module or self.is_optimizer or self.is_text)
        only_shared = all(map(members.is_plain, self.attributes))
        return list(dict.fromkeys(self.attributes)) if plain and not only_shared else []


_PLAIN_FIELDS = [known.name for known in fields(Use) if known.name not in ("held", "item", "item_parts")]
