"""A stamp is used only if it fits exactly the present sources and data."""

import pathlib
from collections.abc import Callable

import pytest

from proofs.coq.tools.data import PARTS
from proofs.coq.tools.stamp import parse_theorems, remove_stamp, write_stamp
from verifier.audit.index import write_index
from verifier.coq import DATA, EXPECTED, GENERAL, HEADLINE, STAMP, Places, Theorem, find_places, read_theorems
from verifier.kernel.certificate import Index, evidence_path, hash_value
from verifier.packing import pack_certificate

VALUE = Theorem("value_43", ("PrimInt63.add", "Uint63.add_spec"))
BOUND = Theorem("at_most_43", ())


def file_tables(proofs: pathlib.Path, *tables: str) -> None:
    """Write evidence that names some tables, for all claims from which data are made."""
    statement = {"kind": "bound"}
    digest = hash_value(statement)
    (proofs / "evidence").mkdir(parents=True, exist_ok=True)
    (proofs / evidence_path(digest)).write_bytes(pack_certificate(statement, "proved", {"tables": list(tables)}))
    write_index(proofs, Index({part.claim: digest for part in PARTS}))


@pytest.fixture
def places(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> Places:
    """Sources, data, and a stamp for both."""
    monkeypatch.delenv("VERIFIER_COQ", raising=False)
    proofs = tmp_path / "proofs"
    found = find_places(proofs)
    file_tables(proofs, "a" * 64)
    found.sources.mkdir()
    (found.build / DATA).mkdir(parents=True)
    for name in ("Rules.v", *EXPECTED, *EXPECTED.values()):
        (found.sources / name).write_text(name)
    (found.build / DATA / "Leaves.v").write_text("leaves")
    stamp(found, found.build / DATA, BOUND, VALUE)
    return found


def stamp(places: Places, data: pathlib.Path | None, *theorems: Theorem) -> None:
    sources = {path.name: path for path in places.sources.glob("*.v") if data is not None or path.name != HEADLINE}
    if data is not None:
        sources |= {path.name: path for path in data.glob("*.v")}
    write_stamp(places, sources, data, "8.16.1 4.13.1\n", {theorem.name: theorem for theorem in theorems})


def test_a_stamp_that_fits_names_the_theorems(places: Places) -> None:
    """Each theorem has the axioms that it assumes."""
    assert read_theorems(places.proofs) == {"at_most_43": BOUND, "value_43": VALUE}


def test_the_stamp_of_a_build_without_data_ignores_data(places: Places) -> None:
    """It is only about the other sources, whatever data there are."""
    stamp(places, None, BOUND)
    (places.build / DATA / "Leaves.v").unlink()
    file_tables(places.proofs, "b" * 64)
    assert read_theorems(places.proofs) == {"at_most_43": BOUND}


CHANGES: dict[str, Callable[[Places], object]] = {
    "a rule changed": lambda places: (places.sources / "Rules.v").write_text("other rules"),
    "a source more": lambda places: (places.sources / "More.v").write_text(""),
    "a source less": lambda places: (places.sources / "Rules.v").unlink(),
    "other committed theorems": lambda places: (places.sources / EXPECTED[HEADLINE]).write_text("False"),
    "a reply changed": lambda places: (places.build / DATA / "Leaves.v").write_text("other leaves"),
    "a piece less": lambda places: (places.build / DATA / "Leaves.v").unlink(),
    "other evidence": lambda places: file_tables(places.proofs, "b" * 64),
    "no evidence": lambda places: (places.proofs / "INDEX.json").unlink(),
    "half a stamp": lambda places: (places.build / STAMP).write_bytes((places.build / STAMP).read_bytes()[:100]),
    "another value": lambda places: (places.build / STAMP).write_text("[]"),
    "no stamp": remove_stamp,
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_stamp_that_does_not_fit_names_nothing(change: str, places: Places) -> None:
    """After any change of the sources, the data or the stamp, no theorem is named."""
    CHANGES[change](places)
    assert read_theorems(places.proofs) == {}


def test_a_theorem_made_of_a_statement_is_found_by_its_hash(places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    """The build of the check for any game has its own stamp. Theorems about the check itself are left out.

    The stamp does not fit if the program that writes theorems, or one of the theorems, has changed.
    """
    general = Places(places.proofs, places.sources / GENERAL, places.build / GENERAL)
    general.sources.mkdir()
    (general.build / DATA).mkdir(parents=True)
    (general.sources / "Check.v").write_text("check")
    (general.build / DATA / "lost.v").write_text("lost")
    sources = {"Check.v": general.sources / "Check.v", "lost.v": general.build / DATA / "lost.v"}
    theorems = {name: Theorem(name, ()) for name in ("lost.lost", "check_sound")}
    statements = {"lost.lost": ("c" * 64, "refuted")}
    write_stamp(general, sources, general.build / DATA, "8.16.1 4.13.1\n", theorems, statements)
    found = read_theorems(places.proofs)
    assert found.pop("c" * 64) == Theorem("lost", (), "refuted")
    assert found == {"at_most_43": BOUND, "value_43": VALUE}
    with monkeypatch.context() as changed:
        changed.setattr("verifier.coq.hash_writers", dict)
        assert read_theorems(places.proofs) == found
    assert len(read_theorems(places.proofs)) == 3
    (general.build / DATA / "lost.v").write_text("won")
    assert read_theorems(places.proofs) == found


def test_the_build_folder_is_beside_the_proofs(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment can name another folder."""
    proofs = tmp_path / "proofs"
    monkeypatch.delenv("VERIFIER_COQ", raising=False)
    assert find_places(proofs) == Places(proofs, proofs / "coq", tmp_path / "build" / "coq")
    monkeypatch.setenv("VERIFIER_COQ", str(tmp_path / "other"))
    assert find_places(proofs).build == tmp_path / "other"


def test_axioms_are_read_from_what_coq_prints() -> None:
    """Their types may be on the same line or below. Definitions in between are not theorems."""
    found = parse_theorems(pathlib.Path(__file__).with_name("printed.txt").read_text())
    assert found == {
        "at_most_43": BOUND,
        "value_43": Theorem("value_43", ("Uint63.add_spec", "PrimInt63.add")),
    }
