"""``python -m configlint``."""

import os
import sys


def forget_current_folder() -> None:
    """Take the folder that ``-m`` put on ``sys.path`` off again, unless configlint itself was found there.

    It is mostly the tree under review, whose ``yaml.py`` must not be imported for the real one.
    """
    home = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    if sys.path and not sys.flags.safe_path and os.path.realpath(sys.path[0]) != os.path.realpath(home):
        del sys.path[0]


if __name__ == "__main__":
    forget_current_folder()
    from configlint.cli.main import process

    process()
