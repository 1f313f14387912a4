"""The abstract recorder: executes the IR the way torch would and writes the tape. Knows no file, no LSP, no hazard."""
