import pytest

from museum.errors import MuseumError
from museum.mesh.mesh import MOST_DEVICES, Axis, AxisType, Mesh

GRID = Mesh.parse("data=4,model=2")
CUBE = Mesh((Axis("a", 2), Axis("b", 3), Axis("c", 2)), tuple(range(100, 112)))


def test_a_mesh_is_read_with_its_axes_in_order():
    assert GRID.axes == (Axis("data", 4, AxisType.AUTO), Axis("model", 2, AxisType.AUTO))
    assert (GRID.shape, GRID.axis_names, GRID.size) == ((4, 2), ("data", "model"), 8)
    assert GRID.device_ids == (0, 1, 2, 3, 4, 5, 6, 7)


def test_spaces_do_not_matter_and_its_text_reads_back():
    assert str(Mesh.parse(" data = 4 , model-b=2 ")) == "data=4,model-b=2"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", "a mesh reads data=4,model=2, but it is empty"),
        ("data", "mesh 'data': 'data' is no name=size, as in data=4"),
        ("data=4,", "mesh 'data=4,': '' is no name=size, as in data=4"),
        ("=4", "mesh '=4': '=4' is no name=size, as in data=4"),
        ("da ta=4", "mesh 'da ta=4': 'da ta=4' is no name=size, as in data=4"),
        ("-=4", "mesh '-=4': '-=4' is no name=size, as in data=4"),
        ("data=four", "mesh 'data=four': the size of 'data' is no whole number: 'four'"),
        ("data=4,model=", "mesh 'data=4,model=': the size of 'model' is no whole number: ''"),
        ("data=-1", "mesh 'data=-1': the size of 'data' is no whole number: '-1'"),
        ("data=1_0", "mesh 'data=1_0': the size of 'data' is no whole number: '1_0'"),
        ("data=4=2", "mesh 'data=4=2': the size of 'data' is no whole number: '4=2'"),
        ("data=0", "mesh axis 'data' has size 0: an axis has at least 1 device"),
        ("data=2,data=4", "mesh data=2,data=4: axis name 'data' is used twice"),
        ("data=65536,model=2", f"mesh data=65536,model=2 has 131072 devices: at most {MOST_DEVICES} can be drawn"),
    ],
)
def test_a_bad_mesh_is_refused_with_one_line_that_names_the_part(text, line):
    with pytest.raises(MuseumError) as caught:
        Mesh.parse(text)
    assert str(caught.value) == line


@pytest.mark.parametrize("text", ["data=4:explicit,model=2", "data=4,model=2:manual", "a=1:explicit"])
def test_axis_types_stand_behind_a_colon_and_read_back(text):
    assert Mesh.parse(text).command == text
    assert ":" not in str(Mesh.parse(text))
    assert Mesh.parse("data=4:Auto, model=2 : explicit").axes == (
        Axis("data", 4, AxisType.AUTO),
        Axis("model", 2, AxisType.EXPLICIT),
    )


@pytest.mark.parametrize("text", ["data=4:", "data=4:user"])
def test_what_is_no_axis_type_is_refused(text):
    with pytest.raises(MuseumError, match=r"^'(user)?' is no axis type: write auto, explicit or manual$"):
        Mesh.parse(text)


def test_every_place_has_a_host():
    assert GRID.hosts == (0,) * 8
    assert Mesh(GRID.axes, (), (0, 0, 0, 0, 1, 1, 1, 1)).hosts[4] == 1
    with pytest.raises(MuseumError, match=r"^mesh data=4,model=2 has 8 places, but 3 hosts were given$"):
        Mesh(GRID.axes, (), (0, 0, 0))


def test_indices_along_an_axis_are_those_of_the_places():
    places = list(CUBE.places())

    assert [CUBE.indices_along(number) for number in range(3)] == [[place[n] for place in places] for n in range(3)]


def test_a_number_of_five_thousand_digits_is_refused():
    with pytest.raises(MuseumError, match="is no whole number"):
        Mesh.parse("data=" + "9" * 5000)


@pytest.mark.parametrize(
    ("device_ids", "line"),
    [
        ((0, 1, 2), "mesh data=4,model=2 has 8 places, but 3 device ids were given"),
        ((0, 1, 2, 3, 4, 5, 6, 6), "mesh data=4,model=2: a device id is given twice"),
    ],
)
def test_device_ids_that_do_not_fill_the_mesh_are_refused(device_ids, line):
    with pytest.raises(MuseumError) as caught:
        Mesh(GRID.axes, device_ids)
    assert str(caught.value) == line


def test_coordinates_run_fastest_along_the_last_axis():
    assert [GRID.coordinates(device) for device in (0, 1, 2, 7)] == [(0, 0), (0, 1), (1, 0), (3, 1)]
    assert CUBE.coordinates(109) == (1, 1, 1)
    assert [CUBE.coordinates(device) for device in CUBE.device_ids] == list(CUBE.places())


def test_device_order_decides_who_sits_where():
    turned = Mesh(GRID.axes, (7, 6, 5, 4, 3, 2, 1, 0))

    assert turned.coordinates(5) == (1, 0)
    assert turned.peers(5, "model") == (5, 4)


@pytest.mark.parametrize(("axis", "peers"), [("a", (103, 109)), ("b", (107, 109, 111)), ("c", (108, 109))])
def test_peers_are_those_of_a_psum_over_the_axis(axis, peers):
    assert CUBE.peers(109, axis) == peers


def test_a_stranger_has_no_place():
    with pytest.raises(MuseumError, match=r"^device 9 is not in the mesh data=4,model=2$"):
        GRID.coordinates(9)
    with pytest.raises(MuseumError, match=r"^mesh data=4,model=2 has no axis 'seq'$"):
        GRID.peers(0, "seq")


def test_a_mesh_without_axes_is_one_device():
    assert (Mesh(()).size, Mesh(()).device_ids, Mesh(()).coordinates(0)) == (1, (0,), ())
