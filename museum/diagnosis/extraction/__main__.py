"""``python __main__.py SITE_PACKAGES OUT``: write the index of the JAX there; lines on stdout say how far it is.

Run by path with any Python from 3.10 on, by preference the environment's own, which can read its own syntax.
"""

import sys
from pathlib import Path

if __name__ == "__main__":
    # Behind everything else: nothing of ours may hide a module of the standard library.
    sys.path.append(str(Path(__file__).resolve().parents[3]))
    from museum.diagnosis.extraction.run import run

    sys.exit(run(sys.argv[1:]))
