"""numpy: its constants. What its functions do to the memory of tensors is no matter of Python."""

DESCRIBES = "numpy 1.24 to 2.4"

newaxis = None
pi = 3.141592653589793
e = 2.718281828459045
inf = float("inf")
nan = float("nan")
