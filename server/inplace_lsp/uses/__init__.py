"""What code itself tells about the values that nobody in sight gives it: read by the recorder and by verify alike."""
