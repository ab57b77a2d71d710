"""A layout of the studio as a snippet of the bench."""

from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest
from stand_ins import pretended

from gui.controllers.studio import FIRST, StudioController
from gui.controllers.studio_output import for_bench
from gui.widgets.studio_page import StudioPage
from museum.errors import MuseumError
from museum.mesh.code import as_code
from museum.mesh.document import StudioArray, StudioDocument
from museum.mesh.spec import Spec
from museum.mesh.torus import NEWEST_JAX


def test_the_code_goes_with_as_many_devices_as_its_mesh_has() -> None:
    title, code, target = for_bench(replace(FIRST, name="mine"), "0.4.38")
    assert (title, code, target) == ("mine", as_code(FIRST, "0.4.38"), "cpu:8")


def test_more_devices_than_can_be_pretended_are_refused() -> None:
    large = StudioDocument.of("data=1024", [StudioArray("x", (1024,), "float32", Spec.parse("data"))])
    with pytest.raises(MuseumError, match="at most 512 devices; this mesh has 1,024"):
        for_bench(large, NEWEST_JAX)


@pytest.mark.parametrize("fits", [True, False])
def test_the_pages_wish_opens_it_or_is_refused_in_one_line(tmp_path: Path, fits: bool) -> None:
    page = pretended(StudioPage)
    page.axes, page.arrays = Mock(), Mock()
    opened = Mock()
    controller = StudioController(page, Mock(), tmp_path, open_on_bench=opened)
    if not fits:
        page.mesh_typed.emit("data=1024")
    page.bench_requested.emit()
    if fits:
        opened.assert_called_once_with("Layout", as_code(FIRST), "cpu:8", NEWEST_JAX)
    else:
        assert not opened.called
        assert page.say.call_args.args[1] == "bad"
    assert controller.document is not None
