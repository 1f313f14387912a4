"""The open texts, and what is known about each: its program, its analysis, its proofs, its diagnostics."""
