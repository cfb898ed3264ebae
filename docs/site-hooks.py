"""What docs/site does to a page once it is HTML; mkdocs.yml names this file."""
import re

TABLE = re.compile(r"<table>.*?</table>", re.DOTALL)
CODE = re.compile(r"<code>([^<]*)</code>")
# After a dot, slash or underscore within a name, and between a small and a capital letter.
BREAK = re.compile(r"(?<=\w[./_])(?=\w)|(?<=[a-z])(?=[A-Z])")


def on_page_content(html, page, **_):
    """Says where a name in a table may be broken, so that a column is as narrow as its words and no narrower. A page without sections has the room
    of their list for its tables."""
    if not any(title.children for title in page.toc):
        page.meta.setdefault("hide", []).append("toc")
    return TABLE.sub(lambda table: CODE.sub(lambda code: f"<code>{BREAK.sub('<wbr>', code[1])}</code>", table[0]), html)
