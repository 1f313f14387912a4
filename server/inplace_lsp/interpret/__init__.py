"""The abstract recorder: execute the IR as torch would, and write the tape. It knows no file, no LSP, no hazard."""
