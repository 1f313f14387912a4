"""Runs a user's whole script, unchanged, and explains its in-place error: who wrote, and who had saved it.

There is one run, since a script has side effects, and it is to be about as fast as without us; so this recorder notes
much less than `worker.recorder`: what the graphs that are alive have saved, and who writes to that (`watch`, `notes`).
Only when backward finds another version than was saved does it make a tape (`story`), and the error that torch itself
would raise (`mismatch`). `own_code` separates the user's files from libraries, `torchscript` finds where TorchScript
runs, `program` runs the script as Python does, `own_frames` hides our frames from what it shows, and the user's
interpreter is started with `start`.
"""
