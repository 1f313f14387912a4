"""operator of Python 3.10 to 3.14: operators as functions."""

DESCRIBES = "Python 3.10 to 3.14"


def add(a, b, /):
    """Add."""
    return a + b


def sub(a, b, /):
    """Subtract."""
    return a - b


def mul(a, b, /):
    """Multiply."""
    return a * b


def truediv(a, b, /):
    """Divide."""
    return a / b


def floordiv(a, b, /):
    """Divide, rounded down."""
    return a // b


def mod(a, b, /):
    """Take the rest of a division."""
    return a % b


def pow(a, b, /):
    """Take the power."""
    return a**b


def matmul(a, b, /):
    """Multiply matrices."""
    return a @ b


def and_(a, b, /):
    """Take both."""
    return a & b


def or_(a, b, /):
    """Take either."""
    return a | b


def xor(a, b, /):
    """Take one of the two."""
    return a ^ b


def lshift(a, b, /):
    """Shift to the left."""
    return a << b


def rshift(a, b, /):
    """Shift to the right."""
    return a >> b


def iadd(a, b, /):
    """Add in place."""
    a += b
    return a


def isub(a, b, /):
    """Subtract in place."""
    a -= b
    return a


def imul(a, b, /):
    """Multiply in place."""
    a *= b
    return a


def itruediv(a, b, /):
    """Divide in place."""
    a /= b
    return a


def ifloordiv(a, b, /):
    """Divide, rounded down in place."""
    a //= b
    return a


def imod(a, b, /):
    """Take the rest of a division in place."""
    a %= b
    return a


def ipow(a, b, /):
    """Take the power in place."""
    a **= b
    return a


def imatmul(a, b, /):
    """Multiply matrices in place."""
    a @= b
    return a


def iand(a, b, /):
    """Take both in place."""
    a &= b
    return a


def ior(a, b, /):
    """Take either in place."""
    a |= b
    return a


def ixor(a, b, /):
    """Take one of the two in place."""
    a ^= b
    return a


def ilshift(a, b, /):
    """Shift to the left in place."""
    a <<= b
    return a


def irshift(a, b, /):
    """Shift to the right in place."""
    a >>= b
    return a


def lt(a, b, /):
    """Tell whether a is less."""
    return a < b


def le(a, b, /):
    """Tell whether a is no more."""
    return a <= b


def eq(a, b, /):
    """Tell whether a equals."""
    return a == b


def ne(a, b, /):
    """Tell whether a differs."""
    return a != b


def ge(a, b, /):
    """Tell whether a is no less."""
    return a >= b


def gt(a, b, /):
    """Tell whether a is more."""
    return a > b


def is_(a, b, /):
    """Tell whether both are the same object."""
    return a is b


def is_not(a, b, /):
    """Tell whether they are two objects."""
    return a is not b


def neg(a, /):
    """Negate."""
    return -a


def pos(a, /):
    """Leave as it is."""
    return +a


def invert(a, /):
    """Invert."""
    return ~a


def inv(a, /):
    """Invert."""
    return ~a


def abs(a, /):
    """Take the absolute value."""
    return a.__abs__()


def not_(a, /):
    """Tell whether it is false."""
    return not a


def truth(a, /):
    """Tell whether it is true."""
    return bool(a)


def getitem(a, b, /):
    """Look up an element."""
    return a[b]


def setitem(a, b, c, /):
    """Replace an element."""
    a[b] = c


def delitem(a, b, /):
    """Remove an element."""
    del a[b]


def contains(a, b, /):
    """Tell whether b is in a."""
    return b in a


def concat(a, b, /):
    """Put two sequences together."""
    return a + b


def iconcat(a, b, /):
    """Put the second sequence to the end of the first."""
    a += b
    return a


def call(obj, /, *args, **kwargs):
    """Call the object."""
    return obj(*args, **kwargs)


def itemgetter(item, /, *items):
    """Make a function that looks up elements."""
    if items:
        return lambda obj: tuple([obj[key] for key in (item, *items)])
    return lambda obj: obj[item]


def attrgetter(attr, /, *attrs):
    """Make a function that looks up attributes."""
    if attrs:
        return lambda obj: tuple([_resolve_attribute(obj, name) for name in (attr, *attrs)])
    return lambda obj: _resolve_attribute(obj, attr)


def _resolve_attribute(obj, attr):
    for name in attr.split("."):
        obj = getattr(obj, name)
    return obj


def methodcaller(name, /, *args, **kwargs):
    """Make a function that calls a method."""
    return lambda obj: getattr(obj, name)(*args, **kwargs)
