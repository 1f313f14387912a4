"""Code that runs in the user's own process beside theirs: the plugin of pytest, the extension of IPython.

Both watch torch with the recorder of `worker.script` and show its trace with the error. They need torch, the standard
library and who loads them, nothing else.
"""
