import pytest

from museum.errors import MuseumError
from museum.mesh.topologies import CHIPS, COMMON, Device, Platform, Topology


@pytest.mark.parametrize("name", COMMON)
def test_every_name_on_offer_reads_back(name):
    assert Topology.parse(name).name == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (" V5E : 4x4 ", "v5e:4x4"),
        ("v7x:2x2x1", "tpu7x:2x2x1"),
        ("v5litepod:4x4", "v5e:4x4"),
        ("2x h100:8", "h100:16"),
        ("1x v5e:4x4", "v5e:4x4"),
        ("local:8", "local:8"),
    ],
)
def test_names_are_read_kindly(text, name):
    assert Topology.parse(text).name == name


@pytest.mark.parametrize(
    ("name", "size", "hosts", "wraps"),
    [
        ("v2:2x2", 8, 1, (False, False, False)),
        ("v3:32x32", 2048, 256, (True, True, False)),
        ("v4:4x4x4", 128, 16, (True, True, True)),
        ("v4 megacore:4x4x4", 64, 16, (True, True, True)),
        ("v5e:2x4", 8, 2, (False, False, False)),
        ("v5e:8x16", 128, 32, (False, True, False)),
        ("v5e:16x16", 256, 64, (True, True, False)),
        ("v5p:2x4x4", 32, 8, (False, False, False)),
        ("v5p:4x4x8", 128, 32, (True, True, True)),
        ("tpu7x:2x2x1", 8, 1, (False, False, False)),
        ("2x v5e:4x4", 32, 8, (False, False, False)),
        ("h100:8", 8, 1, (False, False, False)),
        ("h100:64", 64, 8, (False, False, False)),
        ("devices:12", 12, 1, (False, False, False)),
        ("local", 0, 0, (False, False, False)),
    ],
)
def test_a_machine_has_its_devices_hosts_and_rings(name, size, hosts, wraps):
    topology = Topology.parse(name)

    assert (topology.size, topology.hosts, topology.wraps) == (size, hosts, wraps)
    assert len(topology.devices) == len({device.id for device in topology.devices}) == size


def test_devices_come_host_by_host_with_ids_along_x_first():
    devices = Topology.parse("v5e:4x4").devices

    assert [device.id for device in devices] == [0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15]
    assert devices[4] == Device(2, 1, (2, 0, 0), 0, 0)
    assert Topology.parse("v2:2x2").devices[3] == Device(3, 0, (1, 0, 0), 1, 0)


def test_slices_number_their_devices_apart():
    devices = Topology.parse("2x v5e:2x2").devices

    assert [device.id for device in devices] == [100000, 100001, 100002, 100003, 200000, 200001, 200002, 200003]
    assert [(device.host, device.slice) for device in devices[3:5]] == [(0, 0), (1, 1)]


def test_memory_is_that_of_one_device():
    gib = {name: round(chip.hbm / 2**30, 2) for name, chip in CHIPS.items() if chip.platform is Platform.TPU}

    assert gib == {
        "v2": 7.48,
        "v3": 15.48,
        "v4": 15.25,
        "v4 megacore": 30.75,
        "v4 lite": 7.75,
        "v5e": 15.75,
        "v5p": 95.73,
        "v6e": 31.24,
        "tpu7x": 94.74,
    }
    assert all(chip.hbm > 70 * 2**30 for chip in CHIPS.values() if chip.platform is Platform.GPU)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is no machine: write v5p:4x4x4, 2x v5e:4x4, h100:16, devices:64 or local"),
        ("v5e:4x", "is no machine"),
        ("v9:2x2", "'v9' is no chip; known are v2, v3, v4, "),
        ("v5e", "v5e slices have 2 dimensions, as in v5e:4x4"),
        ("v5p:4x4", "v5p slices have 3 dimensions, as in v5p:4x4x4"),
        ("v5e:0x4", "every size is 1 or more"),
        ("0x v5e:4x4", "every size is 1 or more"),
        ("v5e:32x8", "the largest v5e slice is 16x16"),
        ("v5e:3x4", "3 chips along x do not divide into hosts of 2x2 chips"),
        ("v5p:4x6x1", None),
        ("v5p:4x5x1", "5 chips along y do not divide into hosts of 2x2 chips"),
        ("h100", "write how many, as in h100:8"),
        ("h100:12", "more than 8 GPUs come in whole nodes of 8"),
        ("h100:2x4", "write how many"),
        ("2x devices:4", "only TPU slices and GPU nodes come several at a time"),
        ("99999x v5e:16x16", "has 25599744 devices: at most 65536 can be drawn"),
        ("devices:999999", "has 999999 devices: at most 65536 can be drawn"),
    ],
)
def test_what_is_no_machine_is_refused_with_one_line(text, words):
    if words is None:
        assert Topology.parse(text).size
        return
    with pytest.raises(MuseumError) as caught:
        Topology.parse(text)
    assert str(caught.value).startswith(repr(text))
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
