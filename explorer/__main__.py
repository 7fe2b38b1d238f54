"""``python -P -m explorer``: the same program as ``skill-explorer``."""

import sys

from explorer.cli import main

if __name__ == "__main__":
    sys.exit(main())
