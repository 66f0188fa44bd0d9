"""Tables as text and as HTML, for terminals and notebooks."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from typing import Any

from . import _core

_MOST_ROWS = 20


def table_text(table: _core.Table) -> str:
    """What ``repr`` shows of a table."""
    names = ", ".join(table.column_names)
    return f"<ackclock.Table: {table.num_rows} rows of {names}>"


def table_html(table: _core.Table) -> str:
    """The first rows of a table."""
    columns = [table[name][:_MOST_ROWS] for name in table.column_names]
    more = table.num_rows - _MOST_ROWS
    return html_table(
        table.column_names,
        zip(*columns),
        f"… and {more} more rows" if more > 0 else "",
    )


def html_table(names: Sequence[str], rows: Iterable[Sequence[Any]], below: str = "") -> str:
    """Rows under their names."""
    head = "".join(f"<th>{html.escape(name)}</th>" for name in names)
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape(shown(value))}</td>" for value in row) + "</tr>"
        for row in rows
    )
    text = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return text + (f"<p>{html.escape(below)}</p>" if below else "")


def shown(value: Any) -> str:
    """A value as people read it."""
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)
