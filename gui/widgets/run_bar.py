"""Bars: choose where snippets run, see and stop a run; the one at the top also finds something."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QSizePolicy, QSpinBox, QWidget

from gui.theme import Theme
from gui.widgets.labels import PathLabel, button, name_choices
from gui.widgets.paste_field import SearchField

if TYPE_CHECKING:
    from gui.widgets.query_completion import QueryCompletion

TICK = 100  # milliseconds


@dataclass(frozen=True)
class Choice:
    """One entry of a list: what the program calls it and what the visitor reads."""

    key: str
    text: str
    tip: str = ""


class RunChoices(QWidget):
    """Target, environment, state of the run.

    Args:
        theme: Colours and sizes.
        most_devices: The largest device count.
        parent: The widget that it is a part of.

    Signals:
        target_chosen: Key of another target.
        devices_chosen: Another device count.
        processes_chosen: Another process count.
        environment_chosen: Key of another environment.
        stop_requested: End the run.
    """

    target_chosen = Signal(str)
    devices_chosen = Signal(int)
    processes_chosen = Signal(int)
    environment_chosen = Signal(str)
    stop_requested = Signal()

    def __init__(self, theme: Theme, most_devices: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._targets = QComboBox()
        name_choices(self._targets, "Target: where snippets run")
        # Filled after the first frame: the width must follow what it offers, not what it was shown with.
        self._targets.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self._targets.activated.connect(lambda number: self.target_chosen.emit(self._targets.itemData(number)))
        self._devices = QSpinBox()
        self._devices.setRange(1, most_devices)
        self._devices.setAccessibleName("Fake CPU devices")
        self._devices.setToolTip(f"How many fake CPU devices the snippet sees (1 to {most_devices})")
        self._devices.setKeyboardTracking(False)
        self._devices.valueChanged.connect(self.devices_chosen)
        self._processes = QSpinBox()
        self._processes.setRange(2, 16)
        self._processes.setSuffix(" x")
        self._processes.setAccessibleName("Processes")
        self._processes.setToolTip("How many processes, each with as many devices as stand beside it")
        self._processes.setKeyboardTracking(False)
        self._processes.valueChanged.connect(self.processes_chosen)
        self._environments = QComboBox()
        name_choices(self._environments, "Environment: which JAX runs snippets")
        self._environments.setMinimumContentsLength(11)
        self._environments.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self._environments.activated.connect(
            lambda number: self.environment_chosen.emit(self._environments.itemData(number))
        )
        self._state = PathLabel(Qt.TextElideMode.ElideRight, "text")
        self._stop = button("Stop", self.stop_requested.emit, tip="End the run and everything it started (Esc)")
        self._stop.setEnabled(False)
        self.row = QHBoxLayout(self)
        space = theme.sizes.space
        self.row.setContentsMargins(space * 2, space, space * 2, space)
        self.row.setSpacing(space)
        self.row.addStretch(1)
        self.row.addWidget(self._state)
        parts = (self._stop, self._targets, self._processes, self._devices, self._environments)
        for part in parts:
            part.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)  # words are never cut
            self.row.addWidget(part)
        self._stage = ""
        self._since = 0.0
        self._tick = QTimer(self)
        self._is_still = False
        self._tick.setInterval(TICK)
        self._tick.timeout.connect(self._show_state)

    def set_still(self, still: bool) -> None:
        """Count whole seconds, once a second, or tenths."""
        self._is_still = still
        self._tick.setInterval(1000 if still else TICK)

    def set_targets(self, choices: Sequence[Choice], chosen: str) -> None:
        """Offer targets."""
        fill(self._targets, choices, chosen)

    def set_target(self, key: str, devices: int | None, processes: int | None = None) -> None:
        """Show a target with its counts; None where a count means nothing."""
        self._targets.setCurrentIndex(self._targets.findData(key))
        for box, count in ((self._devices, devices), (self._processes, processes)):
            box.setVisible(count is not None)
            if count is not None:
                box.blockSignals(True)
                box.setValue(count)
                box.blockSignals(False)

    def set_environments(self, choices: Sequence[Choice], chosen: str) -> None:
        """Offer environments."""
        fill(self._environments, choices, chosen)

    def set_stage(self, stage: str, since: float = 0.0) -> None:
        """Say which stage a run is in; "" when nothing runs.

        Args:
            stage: One word.
            since: `time.monotonic` of the request.
        """
        self._stage, self._since = stage, since
        self._stop.setEnabled(bool(stage))
        if stage:
            self._tick.start()
        else:
            self._tick.stop()
        self._show_state()

    def say(self, text: str) -> None:
        """Say how the last run ended, or what cannot be done."""
        self._state.say_path(text)

    def _show_state(self) -> None:
        digits = 0 if self._is_still else 1
        self._state.say_path(f"{self._stage} … {time.monotonic() - self._since:.{digits}f} s" if self._stage else "")


class RunBar(RunChoices):
    """The bar at the top of the exhibits: the search box stands before the choices.

    Args:
        theme: Colours and sizes.
        most_devices: The largest device count.
        parent: The widget that it is a part of.

    Signals:
        query_edited: The visitor typed into the search box; carries the text.
        query_entered: Return was pressed there.
        query_left_down: The Down key was pressed there: go to the list.
        error_given: An error was pasted there; what was typed stays. Carries all of it.
    """

    query_edited = Signal(str)
    query_entered = Signal()
    query_left_down = Signal()
    error_given = Signal(str)

    def __init__(self, theme: Theme, most_devices: int, parent: QWidget | None = None) -> None:
        super().__init__(theme, most_devices, parent)
        self.search = SearchField()
        self.search.error_given.connect(self.error_given)
        self.search.setPlaceholderText("Search or paste an error")
        self.search.setAccessibleName("Search exhibits")
        self.search.setClearButtonEnabled(True)
        self.search.setMaximumWidth(420)
        self.search.setMinimumWidth(theme.sizes.space * 28)
        self.search.textEdited.connect(self.query_edited)
        self.search.textChanged.connect(lambda text: None if text else self.query_edited.emit(""))
        self.search.returnPressed.connect(self.query_entered)
        self.search.installEventFilter(self)
        self._completion: QueryCompletion | None = None
        self.row.insertWidget(0, self.search, 3)
        QWidget.setTabOrder(self.search, self._stop)

    def set_query(self, text: str) -> None:
        """Write another query, without telling that the visitor typed it."""
        self.search.blockSignals(True)
        self.search.setText(text)
        self.search.blockSignals(False)

    def offer_values(self, values: Mapping[str, Sequence[str]]) -> None:
        """Offer these while the value of a filter is typed, by the filter's key."""
        if self._completion is None:
            from gui.widgets.query_completion import QueryCompletion

            self._completion = QueryCompletion(self.search)
        self._completion.set_values(values)

    def take_focus(self) -> None:
        """Let the visitor type what they look for, or change what stands there."""
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The Down key leaves the search box for the list; Esc empties it."""
        if watched is self.search and isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            if event.key() == Qt.Key.Key_Down:
                self.query_left_down.emit()
                return True
            if event.key() == Qt.Key.Key_Escape and self.search.text():
                self.search.clear()
                return True
        return super().eventFilter(watched, event)


def fill(box: QComboBox, choices: Sequence[Choice], chosen: str) -> None:
    """Offer choices in a list, one of them chosen."""
    box.blockSignals(True)
    box.clear()
    for choice in choices:
        box.addItem(choice.text, choice.key)
        box.setItemData(box.count() - 1, choice.tip or choice.text, Qt.ItemDataRole.ToolTipRole)
    box.setCurrentIndex(box.findData(chosen))
    box.blockSignals(False)
