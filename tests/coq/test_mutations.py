"""If a rule, a strategy or a bound is changed, the build fails in the expected file."""

import pathlib
import shutil

import pytest
import yaml

from tests.coq.conftest import SOURCES, build

MUTATIONS: dict[str, dict[str, str]] = yaml.safe_load(pathlib.Path(__file__).with_name("mutations.yaml").read_text())


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTATIONS)
def test_a_changed_source_does_not_build(name: str, coqc: str, built: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """The build fails in the source that the change contradicts."""
    source, old, new, fails = MUTATIONS[name].values()
    sources = tmp_path / "sources"
    sources.mkdir()
    for path in SOURCES.glob("*.v"):
        shutil.copy2(path, sources)
    text = (sources / source).read_text()
    assert text.count(old) == 1
    (sources / source).write_text(text.replace(old, new))
    done = build(sources, shutil.copytree(built, tmp_path / "build"), f"{fails}o")
    assert done.returncode == 1
    assert f'File "./{fails}"' in done.stderr
