"""Start `inplace-lsp` from the packages that lie beside this file, in whatever Python runs it.

They come first on the path, so that an older copy of one of them in the user's environment does not get in between;
what is not among them (libcst, where this extension holds none for the platform) is taken from that environment.
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "libs"))

from inplace_lsp.cli.main import main

if __name__ == "__main__":  # processes that check files beside each other import this file again
    main()
