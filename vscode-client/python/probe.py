"""Print what the Python that runs this is, as JSON. It must run on any Python, also on those that are too old."""

import json
import sys


def torch_version():
    """Return the release of torch that is installed, from its metadata: to import it would take seconds."""
    try:
        from importlib.metadata import version  # noqa: PLC0415  (not on old Pythons)

        return version("torch")
    except Exception:
        return None


if __name__ == "__main__":
    print(  # noqa: T201
        json.dumps(
            {
                "version": ".".join(str(part) for part in sys.version_info[:3]),
                "prefix": sys.prefix,
                "torch": torch_version(),
            }
        )
    )
