"""The command ``xla-museum``: the window by default, the core's commands when one is named."""

import sys

COMMANDS = {"list", "show", "run", "verify", "env"}


def main() -> int:
    """Open the window, or run the command that the command line names; returns the exit code."""
    arguments = sys.argv[1:]
    if any(word in COMMANDS or word in ("-h", "--help") for word in arguments[:1]):
        from museum.cli import main as run_command

        return run_command(arguments)
    from gui.app import main as open_window

    return open_window(arguments)


if __name__ == "__main__":
    sys.exit(main())
