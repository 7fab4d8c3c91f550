"""The text on where specs differ from documents becomes HTML, and nothing in it becomes anything else."""

from verifier.report.html.markdown import render_markdown

TEXT = """\
# The title

A text with **weight**, *stress* and `X[f, s] * 2`,
on two lines. 2 * 3 < 7, and a lone ` stays.

## Rules
- See `lemma-3`, or `lemma-3/as-stated`
  or `other`.
- <b>No</b> tag, no [link](http://a.example) and no ![image](b.png).

| place | a `code` |
|---|---|
| §1 | *it* |
"""


def test_markdown_becomes_html() -> None:
    """Paragraphs, lists and tables are kept, names of claims become links, and everything else is escaped."""
    html = render_markdown(TEXT, {"lemma-3"}).strip()
    assert html.replace("\n", "") == (
        "<p>A text with <strong>weight</strong>, <em>stress</em> and <code>X[f, s] * 2</code>, "
        "on two lines. 2 * 3 &lt; 7, and a lone ` stays.</p><h4>Rules</h4>"
        '<ul><li>See <a href="#claim-lemma-3">lemma-3</a>, or <a href="#claim-lemma-3">lemma-3/as-stated</a> '
        "or <code>other</code>.</li><li>&lt;b&gt;No&lt;/b&gt; tag, no [link](http://a.example) and no ![image](b.png)."
        "</li></ul>"
        '<div class="scroll" role="group" tabindex="0" aria-label="A table of differences"><table><thead><tr>'
        '<th scope="col">place</th><th scope="col">a <code>code</code></th></tr></thead><tbody><tr>'
        '<td data-label="place">§1</td><td data-label="a code"><em>it</em></td></tr></tbody></table></div>'
    )
