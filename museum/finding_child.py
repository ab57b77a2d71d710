"""Runs in a child: answers wishes for places in a text, one line of JSON each, until its input ends."""

import signal
import sys

import msgspec

from museum.finding import Wish, fulfil

LONGEST = 10  # seconds of a wish, should nobody be there any more to end this


def main() -> None:
    """Answer until the input ends."""
    for line in sys.stdin.buffer:
        signal.alarm(LONGEST)
        sys.stdout.buffer.write(msgspec.json.encode(fulfil(msgspec.json.decode(line, type=Wish))) + b"\n")
        sys.stdout.buffer.flush()
        signal.alarm(0)


if __name__ == "__main__":
    main()
