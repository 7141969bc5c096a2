"""How many rows PostgreSQL reads to answer a question."""

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

from django.db import connection


def rows_read(sql: str) -> Mapping[str, int]:
    """Ask a question; return how many rows of each table were looked at for its answer."""
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) {sql}")
        (found,) = cursor.fetchone()
    plan = (json.loads(found) if isinstance(found, str) else found)[0]["Plan"]
    counted: Counter[str] = Counter()
    _count(plan, counted)
    return counted


def _count(node: Mapping[str, Any], counted: Counter[str]) -> None:
    if "Relation Name" in node:
        seen = node["Actual Rows"]
        seen += node.get("Rows Removed by Filter", 0)
        seen += node.get("Rows Removed by Index Recheck", 0)
        counted[node["Relation Name"]] += round(seen * node["Actual Loops"])
    for child in node.get("Plans", ()):
        _count(child, counted)
