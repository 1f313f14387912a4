"""What every torch op saves for backward, views and writes: derived from torch's own tables, shipped as data."""
