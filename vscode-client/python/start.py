"""Start `inplace-lsp` from the packages that lie beside this file, in whatever Python runs it.

They come first on the path, so that an older copy of one of them in the user's environment does not get in between. The
native ones (libcst) count only where they hold a part for this very Python; else those of the environment are used.
"""

import os
import sys
from importlib.machinery import EXTENSION_SUFFIXES

HERE = os.path.dirname(os.path.abspath(__file__))
NATIVE = os.path.join(HERE, "native")

if any(os.path.exists(os.path.join(NATIVE, "libcst", "native" + suffix)) for suffix in EXTENSION_SUFFIXES):
    sys.path.insert(0, NATIVE)
sys.path.insert(0, os.path.join(HERE, "libs"))

from inplace_lsp.cli.main import main  # noqa: E402  (it can be found only now)

if __name__ == "__main__":  # processes that check files beside each other import this file again
    main()
