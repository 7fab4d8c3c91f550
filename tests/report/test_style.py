"""The style sheet: colours that can be read in both themes."""

import pathlib
import re

import pytest

import verifier.report.html

FOLDER = pathlib.Path(verifier.report.html.__file__).parent
STYLE = (FOLDER / "style.css").read_text()
BOARD = (FOLDER.parents[1] / "presentation" / "board.css").read_text()
COLOURS = dict(re.findall(r"--([\w-]+): light-dark\((#\w{6}, #\w{6})\);", STYLE))

TEXT = [
    *((name, ground) for name in ("ink", "ink-2", "link") for ground in ("paper", "sheet", "code")),
    *((name, g) for name in ("proved", "repaired", "refuted", "unknown", "warning") for g in ("paper", "sheet")),
    *((name, ground) for name in ("spot", "ink") for ground in ("board", "x-ground", "o-ground")),
    ("ink", "last"),
    ("refuted", "code"),
    ("ink-2", "paper"), ("x", "paper"), ("o", "paper"),
]  # fmt: skip
GRAPHICS = [
    *((name, ground) for name in ("x", "o") for ground in ("board", "x-ground", "o-ground", "last")),
    *((name, ground) for name in ("focus", "grid", "active") for ground in ("paper", "sheet", "board")),
    # The spot that has the focus lies in the frame of the field that may be played in; on every ground.
    ("focus", "active"),
    *(("focus", ground) for ground in ("x-ground", "o-ground", "last")),
]


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of WCAG 2.2."""

    def luminance(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_colours_can_be_read(theme: int) -> None:
    """In both themes, text has a contrast of 4.5, graphics and borders of controls have 3 (WCAG AA)."""
    colour = {name: pair.split(", ")[theme] for name, pair in COLOURS.items()}
    for pairs, least in ((TEXT, 4.5), (GRAPHICS, 3.0)):
        for name, ground in pairs:
            ratio = contrast(colour[name], colour[ground])
            assert ratio >= least, f"{name} on {ground}: {ratio:.2f}"


def test_every_colour_is_a_variable_of_both_themes() -> None:
    rules = re.sub(r"--[\w-]+: light-dark\([^)]*\);", "", STYLE)
    assert not re.findall(r"#[0-9a-fA-F]{3,8}\b", re.sub(r"#[a-z][\w-]*", "", rules))
    used = set(re.findall(r"var\(--([\w-]+)", STYLE + BOARD))
    assert used <= set(COLOURS) | {"serif", "sans", "mono", "sign", "box"}
