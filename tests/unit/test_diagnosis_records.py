"""Records of others are read as what they are, unproven, and a malformed one gets one clear line."""

import json
from pathlib import Path
from typing import Any

import pytest

from museum.diagnosis.records import load_records, read_records
from museum.errors import MuseumError

RECORD: dict[str, Any] = {
    "id": "f0c2",
    "repo": "jax-ml/jax",
    "slug": "only-collective-axes",
    "errorCode": None,
    "errorMessage": "Only collective_axes that include all JAX device mesh ({mesh_info.axis_names}) axes are supported",
    "messagePattern": "Only collective_axes.+",
    "errorType": "exception",
    "errorClass": "NotImplementedError",
    "httpStatus": None,
    "filePath": "jax/_src/pallas/mosaic_gpu/primitives.py",
    "lineNumber": 5378,
    "documentation": "Raised during lowering.",
    "solutions": ["Pass all axes."],
    "tags": ["jax"],
    "schemaVersion": 2,
}


def content(**changes: Any) -> bytes:
    return json.dumps({"record": {**RECORD, **changes}, "datasetVersion": "2026-08-27"}).encode()


def test_a_record() -> None:
    (record,) = read_records(content(), "a.json")
    assert (record.error_class, record.line_number, record.solutions) == (
        "NotImplementedError",
        5378,
        ("Pass all axes.",),
    )
    assert record.label.startswith("unproven")
    assert record.error_code is None


def test_several(tmp_path: Path) -> None:
    file = tmp_path / "records.json"
    file.write_bytes(b"[" + content() + b"," + json.dumps(RECORD).encode() + b"]")
    assert len(load_records(file)) == 2
    file.write_bytes(content() + b"\n\n" + content(id="other") + b"\n")
    assert [record.id for record in load_records(file)] == ["f0c2", "other"]


def without(key: str) -> bytes:
    return json.dumps({"record": {name: value for name, value in RECORD.items() if name != key}}).encode()


@pytest.mark.parametrize(
    ("broken", "line"),
    [
        (content(lineNumber="12"), "a.json: record.lineNumber: expected `int`, got `str`"),
        (content(solutions=["x", 1]), "a.json: record.solutions[1]: expected `str`, got `int`"),
        (without("errorMessage"), "a.json: record.errorMessage: is missing"),
        (without("schemaVersion"), "a.json: record.schemaVersion: is missing"),
        (content(schemaVersion=3), "a.json: record.schemaVersion: is 3; this museum reads version 2"),
        (b'{"record": 5}', "a.json: record: expected `object`, got `int`"),
        (b"[]", "a.json: holds no record"),
        (b"", "a.json: is no JSON: Input data was truncated"),
        (b"[" + content() + b"," + content(id=5) + b"]", "a.json: [1]: record.id: expected `str`, got `int`"),
    ],
)
def test_one_clear_line_names_file_and_key(broken: bytes, line: str) -> None:
    with pytest.raises(MuseumError) as caught:
        read_records(broken, "a.json")
    assert str(caught.value) == line


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(MuseumError, match=r"none\.json: cannot be read: No such file"):
        load_records(tmp_path / "none.json")
