"""Where the museum keeps what it must remember: one home for directories outside the installation."""

import os
from pathlib import Path

VARIABLE = "XLA_MUSEUM_HOME"


def data_directory() -> Path:
    """The visitor's data (environments, history); `XLA_MUSEUM_HOME` puts it elsewhere. Not created here."""
    if os.environ.get(VARIABLE):
        return Path(os.environ[VARIABLE])
    import platformdirs

    return Path(platformdirs.user_data_dir("xla-museum", appauthor=False))
